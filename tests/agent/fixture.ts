/** A control plane and an enrolled, running node for each test. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { FakeControlPlane } from './control-plane.ts'
import { TestNode, until } from './node.ts'

export type AgentFixture = {
  plane: FakeControlPlane
  node: TestNode
  /** Enrols the node if it is not enrolled yet, and waits until the agent reports. */
  run(env?: Record<string, string>): Promise<void>
  watermark(): number
  reasonOf(site: number): string | undefined
  hasObject(hash: string | null): boolean
}

export function useAgentFixture(): AgentFixture {
  const fixture = {
    async run(env: Record<string, string> = {}) {
      const before = fixture.plane.reports.length
      fixture.node.start({ BREAKWATER_ENROL_TOKEN: fixture.plane.token(), ...env })
      await until('the agent reports', () => fixture.plane.reports.length > before)
    },
    watermark: () => fixture.plane.reports.at(-1)?.watermark ?? -1,
    reasonOf: (site: number) => fixture.plane.reports.at(-1)?.exceptions.find((one) => one.site === site)?.reason,
    hasObject: (hash: string | null) =>
      hash !== null && existsSync(join(fixture.node.folder, 'objects', hash.slice(0, 2), hash)),
  } as AgentFixture

  beforeEach(async () => {
    fixture.plane = new FakeControlPlane()
    await fixture.plane.start()
    fixture.node = new TestNode(fixture.plane)
    await fixture.node.control.start()
  })

  afterEach(async (context) => {
    if (context.task.result?.state === 'fail') console.log(fixture.node.output)
    await fixture.node.remove()
    await fixture.plane.remove()
  })
  return fixture
}
