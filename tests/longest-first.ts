/** The order of test files: the longest first, so that no core waits at the end for one that started late. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long, the longest first. All others follow in the runner's order. */
const long = [
  'tests/faults/kill.test.ts',
  'tests/product/upgrade.test.ts',
  'tests/walk/screens.test.ts',
  'script/release.test.ts',
  'tests/product/second-node.test.ts',
  'tests/agent/upload-events.test.ts',
  'server/src/backup/backup.test.ts',
  'tests/product/backup.test.ts',
  'tests/security/stored-scripts.test.ts',
  'tests/walk/statistics.test.ts',
  'tests/faults/away.test.ts',
  'tests/product/hard-shapes.test.ts',
  'server/src/testing/permission-matrix.test.ts',
  'tests/walk/user-journey.test.ts',
  'server/src/statistics/statistics.test.ts',
  'tests/walk/settings.test.ts',
  'tests/walk/plain.test.ts',
  'tests/walk/people.test.ts',
  'tests/walk/modules.test.ts',
  'server/src/testing/hostile-input.test.ts',
  'tests/agent/crash.test.ts',
  'tests/gallery/gallery.test.ts',
  'tests/walk/second-step.test.ts',
  'edge/box/http-cache.test.ts',
  'tests/walk/lists.test.ts',
  'server/src/testing/refusals.test.ts',
  'tests/walk/messages.test.ts',
  'edge/box/slow-clients.test.ts',
  'server/src/logs/live.test.ts',
  'tests/walk/brand.test.ts',
  'script/server.test.ts',
  'edge/box/http2-floods.test.ts',
  'tests/walk/sessions.test.ts',
  'tests/product/whole.test.ts',
  'tests/walk/keyboard.test.ts',
  'tests/walk/single-sign-on.test.ts',
  'server/src/statistics/days.test.ts',
  'server/src/rollouts/rollouts.test.ts',
  'server/src/http/openapi.test.ts',
  'server/src/logs/stream-rights.test.ts',
  'server/src/testing/narrowed.test.ts',
  'edge/box/transparent/shared.test.ts',
  'edge/box/transparent/uncacheable.test.ts',
  'server/src/engines/postgres.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = long.findIndex((name) => moduleId.endsWith(`/${name}`))
  return place < 0 ? long.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other))
  }
}
