import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { signalsOf, stopPatienceMs } from './supervisor/stop-signals.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bw-units-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const name of ['deploy/systemd/breakwater', 'deploy/node/agent', 'deploy/node/nginx']) {
  test(`${name}.service has an exposure level below 3 of 10, and gives a reason for what stays open`, () => {
    const text = readFileSync(join(root, `${name}.service`), 'utf8')
      .replaceAll('@prefix@', '/opt/breakwater-node')
      .replaceAll('@data@', '/var/lib/breakwater-node')
      .replaceAll('@config@', '/etc/breakwater-node')
    const path = join(folder, `${name.split('/').at(-1)}.service`)
    writeFileSync(path, text)
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
    const exposure = Number(/Overall exposure level for .*: ([\d.]+)/.exec(said)?.[1])
    expect(exposure, said).toBeLessThan(3)
    expect(text).toMatch(/# Left open, with the reason:\n(# - .+\n)+/)
  })
}

/** The system calls that a unit allows, with systemd's groups expanded. */
function allowedCalls(unit: string): Set<string> {
  const membersOf = (name: string): string[] => {
    if (!name.startsWith('@')) return [name]
    const said = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', name], { encoding: 'utf8' })
    return Array.from(said.matchAll(/^ {4}([@\w]+)$/gm), ([, member]) => member!).flatMap(membersOf)
  }
  const calls = new Set<string>()
  for (const [, isLeftOut, names] of unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm))
    for (const call of names!.split(' ').flatMap(membersOf)) isLeftOut ? calls.delete(call) : calls.add(call)
  return calls
}

test.each([
  ['deploy/systemd/breakwater', ['setpriority', 'sched_setattr']],
  ['deploy/node/agent', ['setpriority']],
  ['deploy/node/nginx', ['sched_setattr']],
])(
  '%s.service lets background work yield to requests: the compilation of prefilters, the checking of passwords',
  (name, calls) => {
    const allowed = allowedCalls(readFileSync(join(root, `${name}.service`), 'utf8'))
    expect(calls.filter((call) => !allowed.has(call))).toEqual([])
    expect(allowed.has('reboot')).toBe(false)
  },
)

test('systemctl stop lets work in progress finish: the supervisor stops its parts itself, and a node’s nginx drains', () => {
  const directives = (name: string) =>
    Object.fromEntries(
      Array.from(readFileSync(join(root, `${name}.service`), 'utf8').matchAll(/^(\w+)=(.*)$/gm), ([, key, value]) => [
        key,
        value,
      ]),
    )
  const whole = directives('deploy/systemd/breakwater')
  expect(whole).toMatchObject({ KillMode: 'process' })
  // The default KillSignal is SIGTERM, which the supervisor handles like Ctrl-C.
  expect(whole.KillSignal).toBeUndefined()
  // Everything drains at the same time, then the databases stop.
  expect(Number(whole.TimeoutStopSec) * 1000).toBeGreaterThan(2 * stopPatienceMs)
  const node = directives('deploy/node/nginx')
  expect(node).toMatchObject({ KillMode: 'mixed', KillSignal: signalsOf('nginx')[0] })
  expect(Number(node.TimeoutStopSec) * 1000).toBeGreaterThan(stopPatienceMs)
})
