-- Rollups survive a power cut like the rows that they were made from: else charts would miss what the log still has.
alter table requests_per_minute_v1 modify setting fsync_after_insert = 1, fsync_part_directory = 1;
alter table requests_per_five_minutes_v1 modify setting fsync_after_insert = 1, fsync_part_directory = 1;
alter table requests_per_hour_v1 modify setting fsync_after_insert = 1, fsync_part_directory = 1;
alter table visitors_per_five_minutes_v1 modify setting fsync_after_insert = 1, fsync_part_directory = 1;
alter table visitors_per_hour_v1 modify setting fsync_after_insert = 1, fsync_part_directory = 1;
