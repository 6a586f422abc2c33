-- In a list that is sorted by behavior or risk, those are passed over that the person who asks may not see: the index
-- says which, so that no case is read for it.
drop index case_by_behavior;
create index case_by_behavior on golden_case (behavior, seq, status, author, flags);
drop index case_by_risk;
create index case_by_risk on golden_case (risk_rank, seq, status, author, flags);
