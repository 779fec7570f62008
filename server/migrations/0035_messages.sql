-- How letters leave: the operator's mail server and Telegram bot, and what each person wants to hear of by which way.

create table mail_settings (
  tenant_id int primary key references tenants on delete cascade,
  enabled boolean not null,
  host text not null,
  port int not null,
  account text not null,
  password bytea,
  sender text not null,
  encryption text not null check (encryption in ('none', 'starttls', 'tls')),
  -- the settings that last passed the test, as a hash of what a mail server sees of them
  tested_as bytea,
  updated_at timestamptz not null default now()
);

create table telegram_settings (
  tenant_id int primary key references tenants on delete cascade,
  enabled boolean not null,
  token bytea,
  updated_at timestamptz not null default now()
);

create table notify_settings (
  account_id int primary key references accounts on delete cascade,
  tenant_id int not null references tenants,
  locale text not null default 'zh_TW',
  chat_id text not null default '',
  webhook_url text not null default '',
  webhook_secret bytea,
  -- event to the ways it comes: {"nodeAway": ["email", "tg"]}
  events jsonb not null default '{}',
  updated_at timestamptz not null default now()
);
create index notify_settings_tenant on notify_settings (tenant_id);

-- The outbox takes every way now: a letter, a chat message, a webhook. `subject` keeps one cause from saying it twice.
alter table mail_outbox
  add column channel text not null default 'email' check (channel in ('email', 'tg', 'webhook')),
  add column account_id int references accounts on delete cascade,
  add column subject text not null default '',
  add column failed_at timestamptz;
drop index mail_outbox_due;
create index mail_outbox_due on mail_outbox (next_attempt_at) where sent_at is null and failed_at is null;
create index mail_outbox_tenant on mail_outbox (tenant_id, id desc);
create index mail_outbox_subject on mail_outbox (account_id, subject, created_at) where subject <> '';

alter table nodes add column away_since timestamptz;

create function notify_messages() returns trigger language plpgsql as $$
begin
  perform pg_notify('messages', '');
  return null;
end $$;
create trigger messages after insert on mail_outbox for each statement execute function notify_messages();

grant select, insert, update, delete on mail_settings, telegram_settings, notify_settings to breakwater_tenant, breakwater_system;
do $$
declare t text;
begin
  foreach t in array array['mail_settings', 'telegram_settings', 'notify_settings'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy system on %I to breakwater_system using (true) with check (true)', t);
    execute format('create policy tenant on %I to breakwater_tenant using (app_sees(tenant_id)) with check (app_sees(tenant_id))', t);
  end loop;
end $$;
