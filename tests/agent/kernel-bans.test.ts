/** Packets from refused and banned addresses, dropped by a real kernel for the real agent next to a real nginx. */
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import { defaultConfiguration, type NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildLua } from '../../edge/box/harness.ts'
import { freePort } from '../harness/ports.ts'
import { Cable, lacksNetworks } from './cable.ts'
import { FakeControlPlane } from './control-plane.ts'
import { TestNode, until } from './node.ts'
import { RealNginx } from './real-nginx.ts'

const lacking = lacksNetworks()
const visitor = (n: number) => `10.77.0.${n}`
const [node4, node6] = ['10.77.0.1', 'fd77:0:0:1::1']

describe.skipIf(lacking !== undefined)(
  `in their own network namespaces${lacking === undefined ? '' : ` (skipped: ${lacking})`}`,
  () => {
    let cable: Cable
    let plane: FakeControlPlane
    let node: TestNode
    let nginx: RealNginx
    let port: number
    let elsewhere: number

    beforeAll(() => buildLua())
    beforeEach(async () => {
      cable = new Cable(
        [`${node4}/24`, `${node6}/48`],
        [...[2, 3, 4, 5].map((n) => `${visitor(n)}/24`), 'fd77:0:0:2::5/48', 'fd77:0:0:3::5/48'],
      )
      plane = new FakeControlPlane()
      await plane.start()
      plane.secrets.set('0/groupKey@1', Buffer.alloc(32, 7))
      node = new TestNode(plane)
      nginx = await RealNginx.prepare(plane, node)
      port = Number(nginx.ports.EDGE_HTTP_PORT)
      elsewhere = await freePort()
      await cable.listen(port, elsewhere)
      nginx.start()
      await nginx.enrol(env())
    })
    afterEach(async (context) => {
      if (context.task.result?.state === 'fail') console.log(node.output)
      await nginx.stop()
      await node.remove()
      await plane.remove()
      cable.remove()
    })
    afterAll(() => cable?.remove())

    const env = () => ({ PATH: `${cable.programs}:${process.env.PATH}`, BREAKWATER_KERNEL_BANS: '' })
    let sequence = 0
    function tell(...changes: [string, number][]) {
      for (const [address, seconds] of changes)
        plane.bans.push({ site: 0, address, seconds, sequence: ++sequence } satisfies BanChange & { sequence: number })
      plane.wake('bans')
    }
    let revision = 0
    function configure(changes: Partial<NodeConfiguration>) {
      revision += 1
      plane.publish({
        site: 0,
        revision,
        hosts: [],
        artefact: plane.keep({ ...defaultConfiguration, zone: 2, revision, ...changes }),
      })
    }
    const held = () => plane.reports.findLast(({ health }) => health !== undefined)?.health?.kernelBans
    const table = () => {
      try {
        return cable.atNode('nft', '-n', 'list', 'table', 'inet', `breakwater_${port}`)
      } catch {
        return ''
      }
    }
    const holds = (...texts: string[]) => until(texts.join(), () => texts.every((text) => table().includes(text)))
    const lets = (...texts: string[]) =>
      until(`no ${texts.join()}`, () => texts.every((text) => !table().includes(text)))
    const from = (n: number, at = port) => cable.reaches(visitor(n), node4, at)

    test('refused and banned addresses reach no port of the edge but every other port; others, and spared ones, reach all', async () => {
      plane.spared = [visitor(4)]
      configure({ ipset: [`${visitor(3)}-${visitor(4)}`], invalidDomainLimitCount: 5 })
      tell([visitor(2), 600], ['fd77:0:0:2::/64', 600])
      await holds(visitor(2), 'fd77:0:0:2::', 'elements = { 10.77.0.3')
      expect(await Promise.all([2, 3, 4, 5].map((n) => from(n)))).toEqual([false, false, true, true])
      expect(await Promise.all([2, 3].map((n) => from(n, elsewhere)))).toEqual([true, true])
      const from6 = (n: number) => cable.reaches(`fd77:0:0:${n}::5`, node6, port)
      expect([await from6(2), await from6(3)]).toEqual([false, true])
      await until('its report', () => held()?.addresses === 2 && held()?.networks === 1)

      // The kernel keeps dropping without the agent, and the next agent takes over what it finds.
      await node.kill()
      expect([await from(2), await from(5)]).toEqual([false, true])
      node.start({ ...nginx.ports, ...env() })
      tell([visitor(2), 0])
      await lets(visitor(2))
      expect([await from(2), await from(3)]).toEqual([true, false])
      expect(Number(/counter dropped \{\s+packets (\d+)/.exec(table())?.[1])).toBeGreaterThan(2)
      configure({ ipset: [visitor(5)], invalidDomainLimitCount: 5 })
      await holds(visitor(5))
      expect([await from(3), await from(5)]).toEqual([true, false])
    })

    test('external changes are repaired, and nothing is left once it is switched off or the node is removed', async () => {
      configure({ ipset: [visitor(3)], tlsLimitCount: 5 })
      tell([visitor(2), 600])
      await holds(visitor(2), visitor(3))
      cable.atNode('nft', 'flush', 'chain', 'inet', `breakwater_${port}`, 'input')
      await node.kill()
      expect(await from(2)).toBe(true)
      // It compares at its start, as it does every minute.
      node.start({ ...nginx.ports, ...env() })
      await holds('@banned4', visitor(2))
      expect([await from(2), await from(3), await from(4)]).toEqual([false, false, true])
      configure({ ipset: [visitor(3)], tlsLimitCount: 5, kernelBans: false })
      await until('no table', () => table() === '')
      expect(await from(2)).toBe(true)
      configure({ ipset: [visitor(3)], tlsLimitCount: 5 })
      await holds(visitor(2))
      await node.kill()
      node.start({ ...nginx.ports, ...env() }, 'remove-kernel-bans')
      expect([await node.ended(), table()]).toEqual([0, ''])
    })
  },
)
