-- What a revision changed, as far as its history says it: the first changes, all of their parts, how many there were.
alter table revisions add column changes jsonb;
