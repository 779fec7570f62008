-- Modules that hold settings and no items: what they say.

alter table modules add column body jsonb not null default '{}';
