-- Which set of top lists an hour was closed with: when lists are added, the hours that rows are still kept of are closed again.
alter table hours_closed_v1 add column if not exists lists UInt16 default 1;
