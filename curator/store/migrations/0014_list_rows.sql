-- Rows of imported lists, by what they say, so that the same list again gives nothing new.
-- asked: digest of what is asked and answered; named: of the list's own id and what is asked; said: of all that a row says.

create table list_row (
    asked blob primary key,
    named blob not null,
    said blob not null,
    case_id text not null references golden_case (id)
);
create index list_row_by_name on list_row (named);
