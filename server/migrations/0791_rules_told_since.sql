-- From when on rows of the log tell that a rule, or an exception of the WAF, did something: for those of before, from now on.
alter table rules add column told_since timestamptz not null default now();
