import { networkInterfaces, tmpdir } from 'node:os'
import { defaultConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { expect, test } from 'vitest'
import type { Identity } from './identity.ts'
import { layoutOf } from './layout.ts'
import { nodeSettings } from './node-settings.ts'
import { readSettings } from './settings.ts'

const settings = readSettings({
  BREAKWATER_NODE_DATA: tmpdir(),
  BREAKWATER_NODE_ADDRESSES: '198.41.0.4, 2606:4700::1',
  EDGE_HTTP_PORT: '8081',
  EDGE_HTTPS_PORT: '8443',
})
const layout = layoutOf(tmpdir(), undefined)
const identity = { nodeId: 1, zoneId: 1, groupId: 1, address: '8.8.4.4', publicAddresses: ['1.1.1.1', 'nonsense'] }

test('own addresses: the interfaces, the one it was seen at, those set here and in the console, sorted', async () => {
  const { ownAddresses, ownPorts } = await nodeSettings(settings, identity as Identity, layout, undefined, false)
  const interfaces = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address.replace(/%.*/, '')),
  )
  const wanted = [...interfaces, '198.41.0.4', '2606:4700::1', '8.8.4.4', '1.1.1.1']
  expect(ownAddresses).toEqual([...new Set(wanted)].sort())
  // Behind NAT, clients reach the node by the standard ports.
  expect(ownPorts).toEqual([8081, 8443, 80, 443])
})

test('HTTP/3 is on if the zone wants it and nginx supports it; else the other settings still apply', async () => {
  const set = { ...defaultConfiguration, http2: false, http3: true }
  const of = (capabilities: string[], configuration = set) =>
    nodeSettings(settings, identity as Identity, layout, undefined, false, configuration, capabilities)
  expect(await of(['http3'])).toMatchObject({ http3: true, http2: false })
  const without = await of(['http2'])
  expect([without.http3, without.http2]).toEqual([undefined, false])
  expect((await of(['http3'], defaultConfiguration as typeof set)).http3).toBeUndefined()
})

test('a host name among the addresses is rejected, naming the setting', () => {
  const wrong = { BREAKWATER_NODE_DATA: tmpdir(), BREAKWATER_NODE_ADDRESSES: 'edge.example.com' }
  expect(() => readSettings(wrong)).toThrow(/BREAKWATER_NODE_ADDRESSES: edge.example.com/)
})
