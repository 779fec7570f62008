-- The certificate of the console's own address, ordered as those of domains are: one row for the name that people open.
create table console_certificates (
  name text primary key,
  -- with it, and a token, a challenge is answered
  thumbprint text not null default '',
  chain text not null default '',
  sealed bytea,
  not_before timestamptz,
  not_after timestamptz,
  -- since the last success
  attempts int not null default 0,
  detail text not null default '',
  -- when it is looked at next, and when a new certificate is ordered
  next_at timestamptz not null default now(),
  renew_at timestamptz not null default now()
);
grant select, insert, update, delete on console_certificates to breakwater_system;
