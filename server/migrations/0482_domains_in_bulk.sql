-- Domains by the thousand: found by a part of their names, and what was last seen of their DNS.

create index domains_name_trigrams on domains using gin (name gin_trgm_ops);
create index domains_tags on domains using gin (tags);

-- Row-level security keeps `like` from the index, as a pattern could be made to tell of rows that one may not see. This
-- finds ids alone, with the rights of the owner of the tables; whoever asks reads the rows behind them as himself.
create function find_domains(pattern text) returns setof int language sql stable security definer
  set search_path = public, pg_temp rows 100 as $$
  select id from domains where name like pattern
$$;
revoke execute on function find_domains(text) from public;
grant execute on function find_domains(text) to breakwater_tenant, breakwater_step, breakwater_system;

-- 0 unchecked, 1 leads here, 2 elsewhere, 3 nowhere.
alter table domains add column dns_state smallint not null default 0 check (dns_state between 0 and 3);
alter table domains add column dns_checked_at timestamptz;
create index domains_unchecked on domains (dns_checked_at nulls first, id) where status = 1;
