/** The agent against a control plane of real TLS and signatures: what reaches nginx, and what never does. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestNode, until } from './node.ts'
import { Plane } from './plane.ts'
import { makeSite } from './sites.ts'

let plane: Plane
let node: TestNode

beforeEach(async () => {
  plane = new Plane()
  await plane.start()
  node = new TestNode(plane)
  await node.control.start()
})

afterEach(async (context) => {
  if (context.task.result?.state === 'fail') console.log(node.output)
  await node.remove()
  await plane.remove()
})

const watermark = () => plane.reports.at(-1)?.watermark ?? -1

test('a node enrols once, and what is published reaches nginx and is reported within a second', async () => {
  node.start({ BREAKWATER_ENROL_TOKEN: plane.token() })
  await until('the first report', () => watermark() === 0)
  await until('health', () => plane.reports.at(-1)?.health)
  const at = Date.now()
  const first = makeSite(plane, { site: 1, revision: 1 })
  const sequence = plane.publish(first)
  await until('the site at nginx', () => node.control.sites.get(1)?.artefact === first.artefact)
  const applied = Date.now() - at
  await until('the watermark', () => watermark() === sequence)
  expect(applied).toBeLessThan(1000)
  expect(Date.now() - at).toBeLessThan(2500)
})
