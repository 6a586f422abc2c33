-- Repairs: what people put right in the tables of a revision, and questions that a row asks.

alter table anchor add column question text not null default '';

-- 0 = an imported file. Else these are no sources of their own, but how a few of a revision read before a repair: the
-- sequence of its event.
alter table revision add column repaired integer not null default 0;

-- One row for each repair in each revision that it was made in: done, undone, waiting (it could not be made again in a
-- next revision) or dismissed. `ground` is what it was made on; `findings` what waits by it.
create table repair (
    revision_id integer not null references revision (id),
    seq integer not null references event (seq),
    content text not null,
    ground text not null,
    state text not null default 'done',
    findings text not null default '[]',
    primary key (revision_id, seq)
);
