/**
 * How long the server takes to find domains by a part of their name among 100,000, a fifth of which belong to one site:
 * the operator's list, the queries of the palette and the pickers, and the list of one site. Over HTTP within the
 * process.
 * Run: `node bench/src/domains.ts [domains]`.
 */
import { fillSites, startFilledServer } from './lists/filled-server.ts'

const domainCount = Number(process.argv[2] ?? 100_000)
const siteCount = 1000

await using server = await startFilledServer(async (client) => {
  await fillSites(client, siteCount)
  await client.query(
    `with s as (select id, tenant_id, row_number() over (order by id) as place from sites where name like 'shop %')
     insert into domains (tenant_id, site_id, name, proof, tags)
     select s.tenant_id, s.id, 'www-' || n || '.' || md5(n::text) || '.example' || n % 50 || '.com', md5(n::text), array['t' || n % 20]
     from generate_series(1, $1::int) n join s on s.place = case when n % 5 = 0 then 1 else 2 + n % ($2::int - 1) end`,
    [domainCount, siteCount],
  )
})
const { data } = await server.call('user', 'customer', 'GET', '/user/metaSites')
const large = (data as { siteID: number; siteName: string }[]).find(({ siteName }) => siteName === 'shop 1')

console.log('ms: middle, slowest of five; rows that match')
const searches = [
  ['one name', 'www-54321.'],
  ['some hundreds', 'www-123'],
  ['every fiftieth', 'example7.com'],
  ['two letters', 'w5'],
  ['all', 'example'],
  ['none', 'nobody-has-this'],
] as const
for (const [what, text] of searches) {
  const part = encodeURIComponent(text)
  await server.timed(
    `operator: list, ${what}`,
    'client',
    'operator',
    'GET',
    `/client/domains?pageSize=25&domainName=${part}`,
  )
  for (const [who, tier] of [
    ['operator', 'client'],
    ['customer', 'user'],
  ] as const)
    await server.timed(`${who}: palette, ${what}`, tier, who, 'GET', `/${tier}/domains/ids?name=${part}`)
  await server.timed(
    `customer: a site of ${domainCount / 5}, ${what}`,
    ...(['user', 'customer', 'GET', `/user/site/${large!.siteID}/domains?pageSize=25&keywords=${part}`] as const),
  )
}
