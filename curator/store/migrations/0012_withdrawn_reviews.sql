-- A review is taken back with a reason, never deleted; a label of a refusal may say why it refuses.
alter table review add column withdrawn text not null default '';
alter table review add column refusal_reason text not null default '';
