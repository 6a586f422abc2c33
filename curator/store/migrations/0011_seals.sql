-- What a disk may change without anybody noticing: a hash of what a reading says, and of every event. '' = not known.
alter table revision add column seal text not null default '';
alter table event add column seal text not null default '';
