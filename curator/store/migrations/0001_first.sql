-- The first schema. Order comes from event.seq, never from a clock; lists and nested values are JSON text.

create table event (
    seq integer primary key autoincrement,
    at text not null,
    actor text not null,
    entity text not null,
    entity_id text not null,
    verb text not null,
    version integer not null default 0,
    data text not null default '{}'
);
create index event_by_entity on event (entity, entity_id, seq);

create table document (
    id text primary key,
    title text not null,
    domain text not null default '',
    document_type text not null default '',
    language text not null default '',
    effective_from text not null default '',
    effective_to text not null default '',
    revision_id integer not null,
    version integer not null default 1,
    seq integer not null references event (seq)
);

create table revision (
    id integer primary key,
    document_id text not null references document (id) deferrable initially deferred,
    label text not null,
    sha256 text not null unique,
    file text not null,
    bytes integer not null,
    pages integer not null,
    parser text not null,
    warnings text not null default '[]',
    ingested_at text not null,
    seq integer not null references event (seq),
    unique (document_id, label)
);

create table page (
    revision_id integer not null references revision (id),
    number integer not null,
    label text not null default '',
    kind text not null,
    chars integer not null,
    note text not null default '',
    text text not null,
    running text not null default '[]',
    primary key (revision_id, number)
);

create table section (
    revision_id integer not null references revision (id),
    ordinal integer not null,
    path text not null,
    title text not null,
    label text not null default '',
    page integer not null,
    level integer not null,
    primary key (revision_id, ordinal)
);

create table block (
    revision_id integer not null references revision (id),
    ordinal integer not null,
    name text not null,
    title text not null default '',
    header text not null,
    pages text not null,
    section_path text not null default '[]',
    footnotes text not null default '[]',
    origin text not null default '',
    confidence real not null default 1,
    primary key (revision_id, ordinal)
);

create table source (
    id integer primary key,
    name text not null unique,
    document_id text not null references document (id) deferrable initially deferred,
    kind text not null,
    seq integer not null references event (seq)
);
create index source_by_document on source (document_id);

create table source_alias (
    name text primary key,
    source_id integer not null references source (id)
);

create table anchor (
    id integer primary key,
    source_id integer not null references source (id),
    revision_id integer not null references revision (id),
    ordinal integer not null,
    page integer not null,
    page_end integer not null,
    page_label text not null default '',
    section_path text not null default '[]',
    text text not null,
    quote text not null,
    text_hash text not null,
    prefix text not null default '',
    suffix text not null default '',
    copies integer not null default 1,
    copy_index integer not null default 1,
    box text not null default '',
    block integer not null default 0,
    section_row text not null default '',
    key_cell text not null default '',
    cells text not null default '[]',
    unique (source_id, revision_id)
);
create unique index anchor_by_revision on anchor (revision_id, ordinal);
create index anchor_by_page on anchor (revision_id, page, ordinal);

create table golden_case (
    id text primary key,
    seq integer not null unique references event (seq),
    status text not null,
    flags text not null default '[]',
    author text not null,
    imported integer not null default 0,
    version integer not null default 1,
    case_version integer not null default 1,
    approvals integer not null default 0,
    confirmed_at text not null default '',
    side text not null default '',
    content text not null,
    content_hash text not null,
    approved_hash text not null default '',
    question text not null default '',
    domain text not null default '',
    behavior text not null,
    risk text not null,
    task text not null,
    language text not null default '',
    route text not null default '',
    created_at text not null,
    updated_at text not null,
    retired_at text not null default '',
    retired_reason text not null default '',
    successor text not null default ''
);
create index case_by_status on golden_case (status, seq);

create table review (
    seq integer primary key references event (seq),
    case_id text not null references golden_case (id),
    slot text not null,
    actor text not null,
    at text not null,
    decision text not null,
    expected_behavior text not null default '',
    expected_source_ids text not null default '[]',
    risk text not null default '',
    reason text not null default '',
    content_hash text not null,
    question_hash text not null
);
create index review_by_case on review (case_id, seq);

create table waiver (
    seq integer primary key references event (seq),
    suite text not null,
    gap text not null,
    reason text not null,
    actor text not null,
    at text not null
);

create table release (
    suite text not null,
    version text not null,
    parent text not null default '',
    created_at text not null,
    actor text not null,
    manifest text not null,
    seq integer not null references event (seq),
    primary key (suite, version)
);

create table release_case (
    suite text not null,
    version text not null,
    case_id text not null references golden_case (id),
    line text not null,
    primary key (suite, version, case_id),
    foreign key (suite, version) references release (suite, version)
);
