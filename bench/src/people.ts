/**
 * How long the server takes for a page of people and of the audit log, with 100,000 accounts and a million audit
 * entries generated inside PostgreSQL. Every list and every filter, over HTTP within the process; with `explain`, also
 * the query plans of the audit log.
 * Run: `node bench/src/people.ts [accounts] [entries]`.
 */
import { startFilledServer } from './lists/filled-server.ts'

const accountCount = Number(process.argv[2] ?? 100_000)
const entryCount = Number(process.argv[3] ?? 1_000_000)
await using server = await startFilledServer(async (client) => {
  // A tenth are customers; the rest are sub-accounts, most of them in one large customer's tree.
  await client.query(
    `with op as (select id from tenants where kind = 'operator' limit 1),
     made as (insert into tenants (kind, operator_id, name) select 'customer', op.id, 'customer ' || n from op, generate_series(1, $1::int / 10) n returning id)
   insert into accounts (tenant_id, tier, account, name, email, is_root, status)
   select id, 'user', 'root-' || id, 'Root ' || md5(id::text), 'root' || id || '@example.com', true, 1 from made`,
    [accountCount],
  )
  await client.query(
    `insert into accounts (tenant_id, parent_id, tier, account, name, email, status, all_sites)
   select r.tenant_id, r.id, 'user', 'sub-' || n, 'Person ' || md5(n::text), 'sub' || n || '@example.com', n % 4, false
   from generate_series(1, $1::int * 9 / 10) n join lateral
     (select tenant_id, id from accounts where account = case when n % 2 = 0 then 'customer' else 'root-' || (select min(id) + n % ($1::int / 10) from tenants where name like 'customer %') end and tier = 'user') r on true`,
    [accountCount],
  )
  // The hash chain of the trigger is not measured here; a million of its links would take minutes.
  await client.query('alter table audit disable trigger audit_link, disable trigger audit_place')
  await client.query(
    `insert into audit (at, tenant_id, account_id, account_name, tier, action, method, url, request_id, address, status, detail, previous, hash, customer_id, operator_id)
   select now() - make_interval(secs => n * 20), p.tenant_id, p.id, p.account, 'user',
     (array['site.firewall.l7.blacklists.create', 'account.update', 'auth.signIn', 'role.update', 'auth.signIn.failed'])[1 + n % 5],
     (array['POST', 'PUT', 'POST', 'DELETE', 'POST'])[1 + n % 5], '/api/v1/user/site/' || n % 5000 || '/firewall', gen_random_uuid(), '192.0.2.1', 200,
     jsonb_build_object('before', jsonb_build_object('name', n), 'after', jsonb_build_object('name', n + 1)), '', '',
     p.tenant_id, (select operator_id from tenants where id = p.tenant_id)
   from generate_series(1, $1::int) n
   join (select row_number() over (order by id) as place, id, tenant_id, account from accounts where tier = 'user') p on p.place = 1 + n % $2::int`,
    [entryCount, accountCount],
  )
  await client.query('alter table audit enable trigger audit_link, enable trigger audit_place')
})
const { timed } = server

console.log('ms: middle, slowest of five; rows that match')
for (const [who, tier] of [
  ['operator', 'client'],
  ['customer', 'user'],
  ['vendor', 'admin'],
] as const) {
  const accounts = `/${tier}/accounts?auth=user&pageSize=25`
  await timed(`${who}: accounts, newest`, tier, who, 'GET', accounts)
  for (const sort of ['name', 'account', 'email', 'status'])
    await timed(`${who}: accounts by ${sort}`, tier, who, 'GET', `${accounts}&sortBy=${sort}&orderBy=asc`)
  await timed(`${who}: accounts, searched`, tier, who, 'GET', `${accounts}&name=sub4711`)
  await timed(`${who}: accounts, locked`, tier, who, 'GET', `${accounts}&status=2`)
  await timed(`${who}: accounts, page 400`, tier, who, 'GET', `${accounts}&page=400`)
  const log = `/${tier}/auditLogs`
  const body = { pageSize: 25 }
  await timed(`${who}: audit, newest`, tier, who, 'POST', log, body)
  if (who === 'vendor') continue
  await timed(`${who}: audit, page 400`, tier, who, 'POST', log, { ...body, page: 400 })
  await timed(`${who}: audit, account (rare)`, tier, who, 'POST', log, { ...body, accountName: 'sub-4711' })
  await timed(`${who}: audit, account (frequent)`, tier, who, 'POST', log, { ...body, accountName: 'sub' })
  await timed(`${who}: audit, url`, tier, who, 'POST', log, { ...body, url: '/site/4711/' })
  await timed(`${who}: audit, action`, tier, who, 'POST', log, { ...body, action: 'signIn.failed' })
  await timed(`${who}: audit, method`, tier, who, 'POST', log, { ...body, method: 'DELETE' })
  await timed(`${who}: audit, method that nobody used`, tier, who, 'POST', log, { ...body, method: 'TRACE' })
  await timed(`${who}: audit, acting for it (nobody)`, tier, who, 'POST', log, { ...body, proxyName: 'nobody' })
  await timed(`${who}: audit, request id`, tier, who, 'POST', log, { ...body, reqID: 'none' })
  const day = { startTime: Date.now() / 1000 - 8_640_000, endTime: Date.now() / 1000 - 8_600_000 }
  await timed(`${who}: audit, half a day long ago`, tier, who, 'POST', log, { ...body, ...day })
  await timed(`${who}: roles`, tier, who, 'GET', `/${tier}/roles?pageSize=25`)
  await timed(`${who}: API tokens`, tier, who, 'GET', '/apiTokens?pageSize=25')
}
