-- Typed text that is not saved yet: overwritten, outside the history. And which event an undo takes back.

create table draft (
    actor text not null,
    entity text not null,
    entity_id text not null,
    base_version integer not null,
    content text not null,
    updated_at text not null,
    primary key (actor, entity, entity_id)
);

alter table event add column undoes integer not null default 0;
create index event_by_actor on event (actor, seq);
