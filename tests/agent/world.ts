/** A control plane and an enrolled, running node for each test. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { TestNode, until } from './node.ts'
import { Plane } from './plane.ts'

export type World = {
  plane: Plane
  node: TestNode
  /** Enrols, where it is not yet, and waits until the agent reports. */
  run(env?: Record<string, string>): Promise<void>
  watermark(): number
  reasonOf(site: number): string | undefined
  hasObject(hash: string | null): boolean
}

export function useWorld(): World {
  const world = {
    async run(env: Record<string, string> = {}) {
      const before = world.plane.reports.length
      world.node.start({ BREAKWATER_ENROL_TOKEN: world.plane.token(), ...env })
      await until('the agent reports', () => world.plane.reports.length > before)
    },
    watermark: () => world.plane.reports.at(-1)?.watermark ?? -1,
    reasonOf: (site: number) => world.plane.reports.at(-1)?.exceptions.find((one) => one.site === site)?.reason,
    hasObject: (hash: string | null) =>
      hash !== null && existsSync(join(world.node.folder, 'objects', hash.slice(0, 2), hash)),
  } as World

  beforeEach(async () => {
    world.plane = new Plane()
    await world.plane.start()
    world.node = new TestNode(world.plane)
    await world.node.control.start()
  })

  afterEach(async (context) => {
    if (context.task.result?.state === 'fail') console.log(world.node.output)
    await world.node.remove()
    await world.plane.remove()
  })
  return world
}
