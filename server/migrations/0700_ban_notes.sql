-- Which addresses sites banned within the last days, beyond the bans themselves: what the reputation of an address counts.
create table ban_notes (
  site_id int not null references sites on delete cascade,
  address inet not null,
  tenant_id int not null references tenants on delete cascade,
  times int not null default 1,
  last_at timestamptz not null default now(),
  primary key (site_id, address)
);
create index ban_notes_tenant on ban_notes (tenant_id, last_at);

grant select, insert, update, delete on ban_notes to breakwater_system;
alter table ban_notes enable row level security;
create policy system on ban_notes to breakwater_system using (true) with check (true);
