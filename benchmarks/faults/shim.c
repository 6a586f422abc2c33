/* Makes the n-th change to the disk fail: a write, sync, cut, a file or folder made, renamed, linked or removed.

   Preloaded; nothing of the program is changed. Counted are calls on regular files, syncs of folders, and names that
   come or go; pipes, terminals and devices are left alone. A full disk refuses no removal: those are failed by EIO
   alone. Kinds of fault: 0 nothing is written; 1 the n-th write writes half of what was given and says so, as a disk
   does that becomes full in the middle of it, and fails from then on. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long at, count, hits;
static int error, lasting, half;

void faults_arm(long n, int which, int on, int torn) {
    at = n;
    error = which;
    lasting = on;
    half = torn;
    count = hits = 0;
}
long faults_hits(void) { return hits; }
long faults_count(void) { return count; }

static int due(void) {
    long n = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (!at || (n != at && !(lasting && n > at))) return 0;
    __atomic_add_fetch(&hits, 1, __ATOMIC_SEQ_CST);
    errno = error;
    return 1;
}

static int is(int fd, int folders) {
    struct stat s;
    if (syscall(SYS_fstat, fd, &s)) return 0;
    return S_ISREG(s.st_mode) || (folders && S_ISDIR(s.st_mode));
}

static int fails(int fd) { return is(fd, 0) && due(); }

/* How much of a write is done: all of it, half of it, or nothing (-1). */
static ssize_t part(int fd, size_t n) {
    if (!is(fd, 0)) return n;
    if (!due()) return n;
    return half && n > 1 && hits == 1 ? (ssize_t)(n / 2) : -1;
}

ssize_t write(int fd, const void *b, size_t n) {
    ssize_t m = part(fd, n);
    return m < 0 ? -1 : syscall(SYS_write, fd, b, m);
}
ssize_t pwrite64(int fd, const void *b, size_t n, off_t o) {
    ssize_t m = part(fd, n);
    return m < 0 ? -1 : syscall(SYS_pwrite64, fd, b, m, o);
}
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return pwrite64(fd, b, n, o); }
ssize_t writev(int fd, const struct iovec *v, int n) { return fails(fd) ? -1 : syscall(SYS_writev, fd, v, n); }
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t o) {
    return fails(fd) ? -1 : syscall(SYS_pwritev, fd, v, n, o, 0);
}
ssize_t pwritev64(int fd, const struct iovec *v, int n, off_t o) { return pwritev(fd, v, n, o); }
ssize_t pwritev2(int fd, const struct iovec *v, int n, off_t o, int f) {
    return fails(fd) ? -1 : syscall(SYS_pwritev2, fd, v, n, o, 0, f);
}
ssize_t pwritev64v2(int fd, const struct iovec *v, int n, off_t o, int f) { return pwritev2(fd, v, n, o, f); }
ssize_t sendfile64(int o, int i, off_t *p, size_t n) { return fails(o) ? -1 : syscall(SYS_sendfile, o, i, p, n); }
ssize_t sendfile(int o, int i, off_t *p, size_t n) { return sendfile64(o, i, p, n); }
ssize_t copy_file_range(int i, off_t *p, int o, off_t *q, size_t n, unsigned f) {
    return fails(o) ? -1 : syscall(SYS_copy_file_range, i, p, o, q, n, f);
}
ssize_t splice(int i, off_t *p, int o, off_t *q, size_t n, unsigned f) {
    return fails(o) ? -1 : syscall(SYS_splice, i, p, o, q, n, f);
}

int fsync(int fd) { return is(fd, 1) && due() ? -1 : syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return is(fd, 1) && due() ? -1 : syscall(SYS_fdatasync, fd); }
int ftruncate64(int fd, off_t n) { return fails(fd) ? -1 : syscall(SYS_ftruncate, fd, n); }
int ftruncate(int fd, off_t n) { return ftruncate64(fd, n); }
int truncate64(const char *p, off_t n) { return due() ? -1 : syscall(SYS_truncate, p, n); }
int truncate(const char *p, off_t n) { return truncate64(p, n); }
int fallocate64(int fd, int m, off_t o, off_t n) { return fails(fd) ? -1 : syscall(SYS_fallocate, fd, m, o, n); }
int fallocate(int fd, int m, off_t o, off_t n) { return fallocate64(fd, m, o, n); }
int posix_fallocate64(int fd, off_t o, off_t n) {
    if (fails(fd)) return error;
    return syscall(SYS_fallocate, fd, 0, o, n) ? errno : 0;
}
int posix_fallocate(int fd, off_t o, off_t n) { return posix_fallocate64(fd, o, n); }

/* A name comes into a folder. */
static int opened(int dir, const char *p, int f, mode_t m) {
    int makes = (f & O_TMPFILE) == O_TMPFILE || (f & O_TRUNC), saved = errno;
    struct stat s;
    if ((f & O_CREAT) && syscall(SYS_newfstatat, dir, p, &s, f & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0)) makes = 1;
    else if ((f & O_TRUNC) && !syscall(SYS_newfstatat, dir, p, &s, 0) && !S_ISREG(s.st_mode)) makes = 0;
    errno = saved;
    if (makes && strncmp(p, "/dev/", strncmp(p, "/dev/shm/", 9) ? 5 : 99) && due()) return -1;
    return syscall(SYS_openat, dir, p, f, m);
}
#define MODE(f) \
    mode_t m = 0; \
    if ((f) & (O_CREAT | O_TMPFILE)) { va_list a; va_start(a, f); m = va_arg(a, int); va_end(a); }
int open(const char *p, int f, ...) { MODE(f) return opened(AT_FDCWD, p, f, m); }
int open64(const char *p, int f, ...) { MODE(f) return opened(AT_FDCWD, p, f, m); }
int openat(int d, const char *p, int f, ...) { MODE(f) return opened(d, p, f, m); }
int openat64(int d, const char *p, int f, ...) { MODE(f) return opened(d, p, f, m); }
int creat(const char *p, mode_t m) { return opened(AT_FDCWD, p, O_CREAT | O_WRONLY | O_TRUNC, m); }
int creat64(const char *p, mode_t m) { return creat(p, m); }
int mkdirat(int d, const char *p, mode_t m) {
    struct stat s;
    int there = !syscall(SYS_newfstatat, d, p, &s, 0);
    return !there && due() ? -1 : syscall(SYS_mkdirat, d, p, m);
}
int mkdir(const char *p, mode_t m) { return mkdirat(AT_FDCWD, p, m); }
int renameat2(int d, const char *p, int e, const char *q, unsigned f) {
    return due() ? -1 : syscall(SYS_renameat2, d, p, e, q, f);
}
int renameat(int d, const char *p, int e, const char *q) { return renameat2(d, p, e, q, 0); }
int rename(const char *p, const char *q) { return renameat2(AT_FDCWD, p, AT_FDCWD, q, 0); }
int linkat(int d, const char *p, int e, const char *q, int f) {
    return due() ? -1 : syscall(SYS_linkat, d, p, e, q, f);
}
int link(const char *p, const char *q) { return linkat(AT_FDCWD, p, AT_FDCWD, q, 0); }
int symlinkat(const char *p, int d, const char *q) { return due() ? -1 : syscall(SYS_symlinkat, p, d, q); }
int symlink(const char *p, const char *q) { return symlinkat(p, AT_FDCWD, q); }

/* A name goes: not counted when there is none, since nothing is changed then. */
int unlinkat(int d, const char *p, int f) {
    struct stat s;
    int there = !syscall(SYS_newfstatat, d, p, &s, AT_SYMLINK_NOFOLLOW);
    return error == EIO && there && due() ? -1 : syscall(SYS_unlinkat, d, p, f);
}
int unlink(const char *p) { return unlinkat(AT_FDCWD, p, 0); }
int rmdir(const char *p) { return unlinkat(AT_FDCWD, p, AT_REMOVEDIR); }
int remove(const char *p) {
    struct stat s;
    int folder = !syscall(SYS_newfstatat, AT_FDCWD, p, &s, AT_SYMLINK_NOFOLLOW) && S_ISDIR(s.st_mode);
    return unlinkat(AT_FDCWD, p, folder ? AT_REMOVEDIR : 0);
}
