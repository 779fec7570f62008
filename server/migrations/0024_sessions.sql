-- Sessions in which somebody acts for another: who does, why, and until when at the most.

alter table sessions
  add column actor_account_id int references accounts on delete cascade,
  add column reason text not null default '',
  add column expires_at timestamptz;
create index sessions_actor on sessions (actor_account_id) where actor_account_id is not null and ended_at is null;
