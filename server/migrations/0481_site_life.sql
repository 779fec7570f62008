-- What becomes of sites: bytes to visitors this month, as last counted, by which traffic limits are held.
alter table sites add column month_bytes bigint not null default 0;
create index sites_tags on sites using gin (tags);
