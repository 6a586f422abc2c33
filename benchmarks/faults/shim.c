/* Makes the n-th write or sync of a regular file fail. Preloaded; nothing of the program is changed. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long at, count, hits;
static int error, lasting;

void faults_arm(long n, int which, int on) { at = n; error = which; lasting = on; count = hits = 0; }
long faults_hits(void) { return hits; }

static int fails(int fd) {
    struct stat s;
    if (!at || syscall(SYS_fstat, fd, &s) || !S_ISREG(s.st_mode)) return 0;
    count++;
    if (count != at && !(lasting && count > at)) return 0;
    hits++;
    errno = error;
    return 1;
}

ssize_t write(int fd, const void *b, size_t n) { return fails(fd) ? -1 : syscall(SYS_write, fd, b, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return fails(fd) ? -1 : syscall(SYS_pwrite64, fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off_t o) { return pwrite(fd, b, n, o); }
ssize_t writev(int fd, const struct iovec *v, int n) { return fails(fd) ? -1 : syscall(SYS_writev, fd, v, n); }
int fsync(int fd) { return fails(fd) ? -1 : syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : syscall(SYS_fdatasync, fd); }
int ftruncate(int fd, off_t n) { return fails(fd) ? -1 : syscall(SYS_ftruncate, fd, n); }
int ftruncate64(int fd, off_t n) { return ftruncate(fd, n); }
ssize_t sendfile(int o, int i, off_t *p, size_t n) { return fails(o) ? -1 : syscall(SYS_sendfile, o, i, p, n); }
ssize_t sendfile64(int o, int i, off_t *p, size_t n) { return sendfile(o, i, p, n); }
