-- Products and groups that the operator makes and changes.

-- Sites that a product may have in all (204003); 0 is no limit.
alter table products add column sites_max int not null default 0 check (sites_max >= 0);
create index products_operator on products (operator_id);
create index product_groups_group on product_groups (group_id);
-- A product that was removed while sites of the past refer to it: callers do not see it.
alter table products add column retired_at timestamptz;
create policy living on products as restrictive to breakwater_tenant using (retired_at is null);
