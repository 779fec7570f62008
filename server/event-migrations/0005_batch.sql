-- Which batch of its node brought a row: its sequence. The live log reads the rows of a batch by it, each once.
alter table requests_raw_v1 add column if not exists batch UInt64 codec(ZSTD(1));
