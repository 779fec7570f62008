-- What an address asked for last before it was banned from a zone; empty where its node did not say.
alter table zone_bans add column asked text not null default '';
