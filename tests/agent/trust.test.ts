/** What is not from the control plane, or is older than what is known, changes nothing on a node. */
import { expect, test } from 'vitest'
import { until } from './node.ts'
import { makeSigner } from './sealing.ts'
import { makeSite } from './sites.ts'
import { useWorld } from './world.ts'

const world = useWorld()

const refusals = () => world.node.output.split('\n').filter((line) => line.includes('cannot pull')).length

async function staysAway(says: string) {
  await until(`the agent says: ${says}`, () => world.node.output.includes(says))
  expect(world.node.control.sites.size).toBe(0)
  expect(world.watermark()).toBe(0)
}

test('a page that was changed after it was signed is refused, and the genuine one taken afterwards', async () => {
  await world.run()
  const other = makeSite(world.plane, { site: 9, revision: 1 })
  world.plane.tamper = (reply) => ({
    ...reply,
    entries: reply.entries.replace(/"artefact":"[0-9a-f]+"/, `"artefact":"${other.artefact}"`),
  })
  const site = makeSite(world.plane, { site: 1, revision: 1 })
  world.plane.publish(site)
  await staysAway('the signature of key k1 does not fit')
  world.plane.tamper = undefined
  world.plane.wake('feed')
  await until('the genuine one', () => world.node.control.sites.get(1)?.artefact === site.artefact)
})

test('a page signed with a key that nobody vouched for is refused', async () => {
  await world.run()
  world.plane.signer = makeSigner('k1')
  world.plane.publish(makeSite(world.plane, { site: 1, revision: 1 }))
  await staysAway('the signature of key k1 does not fit')
  world.plane.signer = makeSigner('k9')
  world.plane.wake('feed')
  await staysAway('signed with the unknown key k9')
})

test('a key that a known one vouched for is learnt, also across a restart', async () => {
  await world.run()
  const next = makeSigner('k2')
  world.plane.vouched = [next]
  world.plane.publish(makeSite(world.plane, { site: 1, revision: 1 }))
  await until('one', () => world.watermark() === 1)
  await world.node.kill()
  Object.assign(world.plane, { signer: next, vouched: [] })
  await world.run()
  world.plane.publish(makeSite(world.plane, { site: 2, revision: 1 }))
  await until('two', () => world.watermark() === 2)
})

test('a known key’s name with other bytes is refused', async () => {
  await world.run()
  world.plane.vouched = [makeSigner('k1')]
  world.plane.publish(makeSite(world.plane, { site: 1, revision: 1 }))
  await staysAway('key k1 came with other bytes')
})

test('an older epoch and an older page are refused, however genuine', async () => {
  world.plane.epoch = 4
  await world.run()
  const first = makeSite(world.plane, { site: 1, revision: 1 })
  world.plane.publish(first)
  await until('one', () => world.watermark() === 1)
  world.plane.epoch = 3
  world.plane.publish(makeSite(world.plane, { site: 1, revision: 2 }))
  await until('the refusal', () => world.node.output.includes('epoch 3 is older than 4'))
  world.plane.epoch = 4
  const page = { entries: JSON.stringify([{ ...first, sequence: 1 }]) }
  world.plane.tamper = (reply) => world.plane.sign({ ...reply, ...page, after: 1, desired: 2 }, 1)
  const before = refusals()
  world.plane.wake('feed')
  await until('the second refusal', () => refusals() > before && world.node.output.includes('sequence 1 comes after 1'))
  expect(world.node.control.sites.get(1)?.artefact).toBe(first.artefact)
})
