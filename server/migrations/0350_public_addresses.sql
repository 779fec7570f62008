-- Addresses at which visitors reach a node, as its operator set them; empty while they are guessed.
alter table nodes add column public_addresses text[] not null default '{}';
