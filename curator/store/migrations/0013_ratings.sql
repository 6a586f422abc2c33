-- Human ratings: outputs of a run over a released version, drawn for people to rate, and what each of them said.

create table rating_sample (
    id integer primary key,
    seq integer not null references event (seq),
    suite text not null,
    version text not null,
    run text not null,
    system text not null,
    run_sha256 text not null,
    seed integer not null,
    actor text not null,
    at text not null,
    strata text not null default '[]'
);
create index rating_sample_by_release on rating_sample (suite, version);

create table rating_item (
    sample integer not null references rating_sample (id),
    place integer not null,
    case_id text not null,
    side text not null,
    length_stratum text not null,
    behavior text not null default '',
    output text not null,
    earlier text not null default '[]',
    primary key (sample, place)
);
create unique index rating_item_by_case on rating_item (sample, case_id);

-- 0 = not said yet; overwritten until the person has finished, each change an event
create table rating (
    sample integer not null references rating_sample (id),
    case_id text not null,
    actor text not null,
    at text not null,
    completeness integer not null default 0,
    accuracy integer not null default 0,
    note text not null default '',
    primary key (sample, case_id, actor)
);

create table rater (
    sample integer not null references rating_sample (id),
    actor text not null,
    begun_at text not null,
    finished_at text not null default '',
    saw_at text not null default '',
    primary key (sample, actor)
);
