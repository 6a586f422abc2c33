-- Who wrote what lies in the holdout, without reading the cases: coverage tells how worn it is, of 10,000 cases too.

create index golden_case_in_holdout on golden_case (id, author) where side = 'holdout' and status <> 'retired';
