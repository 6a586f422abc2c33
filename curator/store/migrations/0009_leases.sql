-- Who has a case in hand for which review, until when: a help among people, no part of the history.

create table lease (
    case_id text not null references golden_case (id),
    slot text not null,
    actor text not null,
    at text not null,
    until text not null,
    primary key (case_id, slot)
) without rowid;
