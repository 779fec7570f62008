-- Preheats of a group, for the list of a zone: purges, of which there are many more, are passed over.
create index tasks_preheat on tasks (group_id, id) where body ->> 'kind' = 'preheat';
