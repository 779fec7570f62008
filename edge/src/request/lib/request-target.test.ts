/** How origins may read a path that they do not all read alike. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { canonicalPath } from './canonical.ts'
import { otherReadings } from './request-target.ts'

const readings = (raw: string) => otherReadings(raw, canonicalPath(raw)!)

test.each(['/a', '/a%20b', '/%E4%BD%A0', '/%61'])('all origins read %s alike', (raw) => {
  expect(readings(raw)).toBeUndefined()
})

test.each([
  ['/a//b', ['/a//b']],
  ['/admin/../public', ['/admin/../public']],
  ['/admin/..%2Fpublic', ['/admin/../public', '/admin/..%2Fpublic']],
  ['/api/projects/group%2Fname', ['/api/projects/group%2Fname']],
  ['/public/..;/admin', ['/admin']],
  ['/login;x=1', ['/login']],
])('%s may also be read as %j', (raw, others) => {
  expect(readings(raw)).toEqual(others)
})

/** The rows of the documented table that reach an origin: what was sent, its canonical form, the other readings. */
const documented = readFileSync(new URL('../../../../docs/using.md', import.meta.url), 'utf8')
  .split('| sent | normalised | other readings | example |')[1]!
  .split('\n\n')[0]!
  .split('\n')
  .map((line) => line.split('|').map((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => text!)))
  .flatMap(([, sent = [], canonical = [], others = []]) => (canonical.length > 0 ? [{ sent, canonical, others }] : []))

test('the documented table of paths matches what the edge does', () => {
  expect(documented.length).toBeGreaterThan(5)
  for (const { sent, canonical, others } of documented) {
    expect(sent.map(canonicalPath)).toEqual(canonical)
    for (const raw of sent) expect(readings(raw) ?? [], raw).toEqual(others)
  }
})
