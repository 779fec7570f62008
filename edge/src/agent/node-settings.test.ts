import { networkInterfaces, tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import type { Identity } from './identity.ts'
import { nodeSettings } from './node-settings.ts'
import { readSettings } from './settings.ts'

const settings = readSettings({
  BREAKWATER_NODE_DATA: tmpdir(),
  BREAKWATER_NODE_ADDRESSES: '198.41.0.4, 2606:4700::1',
  EDGE_HTTP_PORT: '8081',
  EDGE_HTTPS_PORT: '8443',
})
const identity = { nodeId: 1, zoneId: 1, groupId: 1, address: '8.8.4.4', publicAddresses: ['1.1.1.1', 'nonsense'] }

test('a node closes its interfaces, where it was seen, and what is set for it here and in the console, in one order', async () => {
  const { ownAddresses, ownPorts } = await nodeSettings(settings, identity as Identity, undefined, false)
  const interfaces = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address.replace(/%.*/, '')),
  )
  const wanted = [...interfaces, '198.41.0.4', '2606:4700::1', '8.8.4.4', '1.1.1.1']
  expect(ownAddresses).toEqual([...new Set(wanted)].sort())
  // Behind address translation the world comes by the usual ports.
  expect(ownPorts).toEqual([8081, 8443, 80, 443])
})

test('a name among the addresses is refused by its setting', () => {
  const wrong = { BREAKWATER_NODE_DATA: tmpdir(), BREAKWATER_NODE_ADDRESSES: 'edge.example.com' }
  expect(() => readSettings(wrong)).toThrow(/BREAKWATER_NODE_ADDRESSES: edge.example.com/)
})
