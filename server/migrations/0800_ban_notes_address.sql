-- Who banned one address, which is an IPv6 network's where it is IPv6.
create index ban_notes_address on ban_notes using gist (address inet_ops);
