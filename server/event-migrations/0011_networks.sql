-- The number of the client's network (autonomous system); 0 where no data knows it, and of rows of before.
alter table requests_raw_v1 add column if not exists asn UInt32 default 0 codec(ZSTD(1)) after country;
