-- A node's certificate ends after a year and is renewed long before. The renewed one counts from its first use, so that a
-- node that died before it had written it down is still known by the one it has.
alter table nodes add column next_serial text unique;
-- SHA-256 of the public key that enrolled: who asks again with the same token and the same key lost only the answer.
alter table nodes add column key_hash bytea;
alter table enrol_tokens add column node_id int references nodes on delete cascade;
