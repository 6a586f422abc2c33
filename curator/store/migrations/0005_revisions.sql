-- Revisions: what became of each source in the next one, names that documents had before, refusals that were answered.

-- One row for each source that was not found to be the same, in the revision where it was looked for. What a person
-- decides changes `state`; the next revision makes rows of its own and leaves these as superseded.
create table finding (
    revision_id integer not null references revision (id),
    source_id integer not null references source (id),
    verdict text not null,
    score real not null default 0,
    difference text not null default 'none',
    old_anchor integer not null references anchor (id),
    target integer not null default 0,
    candidates text not null default '[]',
    state text not null default 'waiting',
    primary key (revision_id, source_id)
);
create index finding_by_source on finding (source_id, revision_id);

create table document_alias (
    name text primary key,
    document_id text not null references document (id) deferrable initially deferred
);

-- A refusal for silence of the sources, and the new text that may answer it.
create table refusal_hit (
    revision_id integer not null references revision (id),
    case_id text not null references golden_case (id),
    source_id integer not null references source (id),
    share real not null,
    state text not null default 'waiting',
    primary key (revision_id, case_id)
);
create index refusal_hit_by_case on refusal_hit (case_id);

create index source_alias_by_source on source_alias (source_id);
create index anchor_by_hash on anchor (text_hash);

-- What a text of this document is like: sixty-four numbers of a MinHash, '' = made before there were any.
alter table revision add column sketch text not null default '';
