-- Production failures, scrubbed; their wordings and folds; what is allowed and what was erased. No raw text is ever here.

create table failure_batch (
    id integer primary key,
    seq integer not null references event (seq),
    file text not null,
    format text not null,
    mapping text not null default '{}',
    detector text not null,
    quarantined integer not null default 0,
    expires_at text not null default '',
    state text not null default 'importing',
    new integer not null default 0,
    same integer not null default 0,
    changed integer not null default 0,
    rejected integer not null default 0,
    skipped integer not null default 0,
    masked text not null default '{}',
    actor text not null,
    at text not null
);

-- A retrieved text, once however often it was retrieved.
create table failure_context (
    id integer primary key,
    digest blob not null unique,
    text text not null
);

-- A distinct wording of a question; `fold` is the wording that it folds into: itself, another, or 0 = not placed yet.
create table wording (
    id integer primary key,
    digest blob not null unique,
    text text not null,
    question text not null,
    uses integer not null default 0,
    fold integer not null default 0,
    ratio real not null default 100,
    bands blob not null default x'',
    ask integer not null default 0,
    ask_ratio real not null default 0,
    apart integer not null default 0
);
create index wording_by_fold on wording (fold);
create index wording_by_ask on wording (ask) where ask > 0;

create table failure (
    seq integer primary key,
    id text not null unique,
    batch integer not null references failure_batch (id),
    "key" blob not null unique,
    row integer not null,
    state text not null default 'new',
    quarantined integer not null default 0,
    version integer not null default 1,
    time text not null default '',
    week text not null default '',
    session text not null default '',
    route text not null default '',
    language text not null default '',
    question text not null,
    answer text not null default '',
    reference text not null default '',
    error text not null default '',
    score text not null default '',
    feedback text not null default '',
    turns text not null default '{}',
    contexts text not null default '[]',
    document text not null default '',
    flags text not null default '[]',
    masked integer not null default 0,
    wording integer not null references wording (id),
    stage text not null default '',
    reason text not null default '',
    duplicate_of text not null default '',
    case_id text not null default '',
    risk integer not null default 0,
    confirmed_hash text not null default '',
    confirmed_with text not null default '',
    confirmed_by text not null default '',
    confirmed_at text not null default '',
    updated_at text not null default ''
);
create index failure_by_state on failure (state, seq);
create index failure_by_wording on failure (wording);
create index failure_by_route on failure (route, seq);
create index failure_by_session on failure (session, seq);
create index failure_by_batch on failure (batch);

-- Contents that were seen under an id of the log's own: the same row again is `same`, in whatever order they come.
create table failure_seen (
    digest blob primary key
) without rowid;

-- What a person said of two wordings: same or different.
create table fold_verdict (
    one integer not null references wording (id),
    other integer not null references wording (id),
    verdict text not null,
    seq integer not null references event (seq),
    primary key (one, other)
);

create table privacy_allow (
    seq integer primary key references event (seq),
    text text not null,
    kind text not null default '',
    case_id text not null default '',
    reason text not null,
    actor text not null,
    at text not null
);

-- What was confirmed of a case: the hash of its texts, and the detector that had looked at them.
create table privacy_confirmation (
    entity text not null,
    entity_id text not null,
    text_hash text not null,
    detector text not null,
    actor text not null,
    at text not null,
    seq integer not null references event (seq),
    primary key (entity, entity_id)
);

create table privacy_tombstone (
    seq integer primary key references event (seq),
    reason text not null,
    counts text not null,
    actor text not null,
    at text not null
);
