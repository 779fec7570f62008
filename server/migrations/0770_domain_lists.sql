-- Lists of all domains begin at one end of an index, and are read no further where most names match.
create index domains_created on domains (created_at, id);
create index domains_name on domains (name, id);

-- What app_sees() says, as a query that the planner may ask once for all tenants: a function is asked for each site, and
-- whatever an operator looks for begins with its customers' sites.
alter policy tenant on sites using (
  tenant_id = nullif(current_setting('app.tenant', true), '')::int
  or exists (select from tenants t
    where t.id = sites.tenant_id and t.operator_id = nullif(current_setting('app.operator', true), '')::int));
