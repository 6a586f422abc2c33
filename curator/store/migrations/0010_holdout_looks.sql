-- The ledger: who looked at what of the holdout, when, why, at which version. Appended; withdrawn with a reason.

create table holdout_look (
    seq integer primary key references event (seq),
    actor text not null,
    at text not null,
    how text not null,
    suite text not null default '',
    version text not null default '',
    case_id text not null default '',
    reason text not null default '',
    withdrawn text not null default ''
);
create index holdout_look_by_case on holdout_look (case_id, seq);
