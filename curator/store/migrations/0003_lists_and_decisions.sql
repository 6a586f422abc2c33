-- Lists of 100,000 cases that are sorted by any column and read by key; and which events were one decision.

alter table golden_case add column risk_rank integer not null default 0;
update golden_case set risk_rank = case risk when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0 end;

-- One index a column that a list is sorted by; by id and seq there are some, case_by_status is of the first schema.
create index case_by_behavior on golden_case (behavior, seq);
create index case_by_risk on golden_case (risk_rank, seq);
create index case_by_domain on golden_case (domain, seq);
create index case_by_language on golden_case (language, seq);
create index case_by_task on golden_case (task, seq);
create index case_by_author on golden_case (author, seq);
create index case_by_question on golden_case (question, seq);
create index case_by_updated_at on golden_case (updated_at, seq);

-- The lines of the list without the content of the cases: what a filter reads, a tenth of the table.
create index case_list on golden_case
    (seq, id, status, behavior, risk, risk_rank, domain, language, task, author, question, updated_at, flags);

-- What a person has labeled: nobody labels a question twice.
create index review_by_actor on review (actor, case_id);

alter table document add column chunks integer not null default 0;
alter table document add column rows integer not null default 0;
update document set
    chunks = (select count(*) from source where document_id = document.id and kind = 'chunk'),
    rows = (select count(*) from source where document_id = document.id and kind = 'row');

-- Sequence of the first event of the transaction: what was one decision is undone as one.
alter table event add column decision integer not null default 0;
update event set decision = seq;
create index event_by_decision on event (actor, decision);
drop index event_by_actor;
