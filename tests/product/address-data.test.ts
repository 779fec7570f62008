/**
 * Address data uploaded by an operator: enforced on the wire, shown with its names in the log, and reverted to the
 * release’s.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countryId } from '../../contract/src/system/region-ids.ts'
import { type Api, signIn } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'

let product: Product
let origin: Origin
let shop: Shop
let desk: Api

beforeAll(async () => {
  ;[product, origin] = await Promise.all([startProduct(), startOrigin()])
  const { operator, password } = product.accounts
  desk = await signIn(product.url, 'client', operator, password)
  shop = await openShop(product, origin.port)
})
afterAll(async () => {
  await product?.stop()
  await origin?.stop()
})

async function upload(kind: string, csv: string): Promise<number> {
  const form = new FormData()
  form.set('kind', kind)
  form.set('source', `own ${kind}`)
  form.set('file', new File([csv], `${kind}.csv`))
  const reply = await fetch(`${product.url}/api/v1/client/addressData`, {
    ...{ method: 'POST', body: form, headers: { authorization: desk.authorization } },
  })
  const { data } = (await reply.json()) as { data: { id: number; problems: object[] } }
  expect(data.problems).toEqual([])
  return data.id
}
const use = async (kind: string, id: number) => {
  const { status } = await desk.call('PUT', '/client/addressData', { kind, id, isConfirmed: true })
  expect(status).toBe(200)
}
const answers = (path: string, status: number) =>
  until(`${status} at ${path}`, async () => (await shop.visit(path)).status === status)

test('a region rule decides by uploaded countries and networks, the log names them, and one call reverts to the old data', async () => {
  const rules = `${shop.of}/firewall/l7/geos`
  await shop.change('POST', rules, { urlRegex: '^/country', geoIDs: [countryId('IS')], blockType: 0 })
  await shop.change('POST', rules, { urlRegex: '^/network', asns: [64_500], blockType: 0 })
  await shop.live()
  expect([(await shop.visit('/country')).status, (await shop.visit('/network')).status]).toEqual([200, 200])

  await use('countries', await upload('countries', '127.0.0.0,127.255.255.255,IS\n'))
  await answers('/country', 403)
  expect((await shop.visit('/network')).status).toBe(200)
  await use('networks', await upload('networks', '127.0.0.0,127.255.255.255,64500,Own Network\n'))
  await answers('/network', 403)
  const { data: all } = (await desk.call('GET', '/client/addressData')).body
  expect(all.filter(({ state }: { state: string }) => state === 'inUse')).toMatchObject([
    { kind: 'networks', source: 'own networks', v4: 1, v6: 0 },
    { kind: 'countries', source: 'own countries' },
  ])

  const span = { startTime: Date.now() / 1000 - 3600, endTime: Date.now() / 1000 + 60 }
  await until('the log with what the network is called', async () => {
    const { data } = (await shop.api.call('POST', '/user/logs/access', { ...span, siteIDs: [shop.siteID] })).body
    return data.some(
      ({ country, asn, network }: { country: string; asn: number; network: string }) =>
        country === 'IS' && asn === 64_500 && network === 'Own Network',
    )
  })

  // A trace uses them, too: each kind independently.
  const trace = async () => {
    const { visitor, explanation } = await shop.change('POST', `${shop.of}/trace`, { url: '/country' })
    return [visitor.country, visitor.asn, visitor.network, explanation.verdict]
  }
  expect(await trace()).toEqual(['IS', 64_500, 'Own Network', 'block'])
  await use('networks', 0)
  expect(await trace()).toEqual(['IS', 0, '', 'block'])
  await use('countries', 0)
  expect((await trace()).slice(0, 2)).toEqual(['ZZ', 0])
  await answers('/country', 200)
  await answers('/network', 200)
})
