/** Whatever is not from the control plane, or is older than what is known, changes nothing on a node. */
import { expect, test } from 'vitest'
import { useAgentFixture } from './fixture.ts'
import { until } from './node.ts'
import { makeSigner } from './sealing.ts'
import { makeSite } from './sites.ts'

const fixture = useAgentFixture()

const refusals = () => fixture.node.output.split('\n').filter((line) => line.includes('cannot pull')).length

async function staysAway(says: string) {
  await until(`the agent says: ${says}`, () => fixture.node.output.includes(says))
  expect(fixture.node.control.sites.size).toBe(0)
  expect(fixture.watermark()).toBe(0)
}

test('a page that was changed after signing is refused, and the genuine one is accepted afterwards', async () => {
  await fixture.run()
  const other = makeSite(fixture.plane, { site: 9, revision: 1 })
  fixture.plane.tamper = (reply) => ({
    ...reply,
    entries: reply.entries.replace(/"artefact":"[0-9a-f]+"/, `"artefact":"${other.artefact}"`),
  })
  const site = makeSite(fixture.plane, { site: 1, revision: 1 })
  fixture.plane.publish(site)
  await staysAway('the signature of key k1 does not fit')
  fixture.plane.tamper = undefined
  fixture.plane.wake('feed')
  await until('the genuine one', () => fixture.node.control.sites.get(1)?.artefact === site.artefact)
})

test('a page signed with a key that nobody vouched for is refused', async () => {
  await fixture.run()
  fixture.plane.signer = makeSigner('k1')
  fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 1 }))
  await staysAway('the signature of key k1 does not fit')
  fixture.plane.signer = makeSigner('k9')
  fixture.plane.wake('feed')
  await staysAway('signed with the unknown key k9')
})

test('a key that a known key vouched for is learnt, and kept across a restart', async () => {
  await fixture.run()
  const next = makeSigner('k2')
  fixture.plane.vouched = [next]
  fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 1 }))
  await until('one', () => fixture.watermark() === 1)
  await fixture.node.kill()
  Object.assign(fixture.plane, { signer: next, vouched: [] })
  await fixture.run()
  fixture.plane.publish(makeSite(fixture.plane, { site: 2, revision: 1 }))
  await until('two', () => fixture.watermark() === 2)
})

test('a known key ID with other bytes is refused', async () => {
  await fixture.run()
  fixture.plane.vouched = [makeSigner('k1')]
  fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 1 }))
  await staysAway('key k1 came with other bytes')
})

test('an older epoch and an older page are refused, even if genuine', async () => {
  fixture.plane.epoch = 4
  await fixture.run()
  const first = makeSite(fixture.plane, { site: 1, revision: 1 })
  fixture.plane.publish(first)
  await until('one', () => fixture.watermark() === 1)
  fixture.plane.epoch = 3
  fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 2 }))
  await until('the refusal', () => fixture.node.output.includes('epoch 3 is older than 4'))
  fixture.plane.epoch = 4
  const page = { entries: JSON.stringify([{ ...first, sequence: 1 }]) }
  fixture.plane.tamper = (reply) => fixture.plane.sign({ ...reply, ...page, after: 1, desired: 2 }, 1)
  const before = refusals()
  fixture.plane.wake('feed')
  await until(
    'the second refusal',
    () => refusals() > before && fixture.node.output.includes('sequence 1 comes after 1'),
  )
  expect(fixture.node.control.sites.get(1)?.artefact).toBe(first.artefact)
})
