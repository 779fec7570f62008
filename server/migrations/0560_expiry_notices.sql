-- What people were told last of the end of a certificate or a site: of which end, and how long before it.
alter table certificates add column warned_end timestamptz, add column warned_seconds int;
alter table sites add column warned_end timestamptz, add column warned_seconds int;
