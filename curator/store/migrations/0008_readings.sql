-- Readings: the same file of a document may be read again, by newer rules. It is the same revision to people, under the
-- same label and hash, so both are unique only together with the number of the reading.

-- A constraint of a table cannot be dropped in SQLite: the table is made anew. What points to it is checked at the end.
pragma defer_foreign_keys = on;

create table revision_before_8 as select * from revision;
drop table revision;
create table revision (
    id integer primary key,
    document_id text not null references document (id) deferrable initially deferred,
    label text not null,
    reading integer not null default 1,
    sha256 text not null,
    file text not null,
    bytes integer not null,
    pages integer not null,
    parser text not null,
    warnings text not null default '[]',
    ingested_at text not null,
    seq integer not null references event (seq),
    sketch text not null default '',
    repaired integer not null default 0,
    unique (sha256, reading),
    unique (document_id, label, reading)
);
insert into revision (id, document_id, label, sha256, file, bytes, pages, parser, warnings, ingested_at, seq, sketch, repaired)
select id, document_id, label, sha256, file, bytes, pages, parser, warnings, ingested_at, seq, sketch, repaired
from revision_before_8;
drop table revision_before_8;
