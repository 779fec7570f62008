-- Publishing and publish status ask which groups have a site, whatever the group.

create index feed_entries_site on feed_entries (site_id);
