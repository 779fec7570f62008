import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bw-versions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** dpkg is installed on every machine that runs these tests. */
const installed = execFileSync('dpkg-query', ['-W', 'dpkg'], { encoding: 'utf8' }).trim().split('\t')[1] ?? ''
const release = /VERSION_CODENAME=(\S+)/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''

const rowsOf = (version: string) => {
  const file = join(folder, 'rows.tsv')
  writeFileSync(file, `# a comment\n${release}\tdpkg\t${version}\nother\tdpkg\t9999\n`)
  return file
}

// An apt that has nothing newer, as if the security suite were missing from its sources.
const apt = join(folder, 'apt-get')
writeFileSync(apt, '#!/bin/sh\nexit 0\n')
chmodSync(apt, 0o755)

/** Runs the check of script/bootstrap, or of the node installer, with these rows. */
function check(which: 'bootstrap' | 'installer', version: string, env: Record<string, string> = {}, argument = '') {
  const rows = rowsOf(version)
  const policy = join(folder, 'policy-rc.d')
  const common = `set -eu; cd ${root}; fail() { echo "$*" >&2; exit 1; }; step() { shift; "$@"; }`
  const scripts = {
    bootstrap: `${common}; step_log=${join(folder, 'step.log')}; . script/debian-packages.sh; policy=${policy}; security_versions=${rows}; require_patched ${argument}`,
    installer: `${common}; work=${folder}; . deploy/node/package-versions.sh; security_versions=$(cat ${rows})
      eval "$(sed -e '/^main$/d' -e 's|/usr/sbin/policy-rc.d|${policy}|' deploy/node/install.sh)"; require_patched`,
  }
  return spawnSync('sh', ['-c', scripts[which]], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, ...env },
  })
}

for (const which of ['bootstrap', 'installer'] as const) {
  test(`the ${which} refuses a package older than its security fixes, and names both versions`, () => {
    const { status, stderr } = check(which, '9999')
    expect(status).toBe(1)
    expect(stderr).toContain(`dpkg ${installed} is installed; 9999 has its security fixes`)
    expect(stderr).toContain('BREAKWATER_ALLOW_UNPATCHED=yes')
  })

  test(`the ${which} continues without the fixes only if told to`, () => {
    const { status, stderr } = check(which, '9999', { BREAKWATER_ALLOW_UNPATCHED: 'yes' })
    expect(status).toBe(0)
    expect(stderr).toContain('9999 has its security fixes')
  })

  test(`the ${which} prints nothing if everything is new enough`, () => {
    const { status, stdout, stderr } = check(which, installed)
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })
}

test('tests run on an unpatched machine, with a warning', () => {
  const { status, stderr } = check('bootstrap', '9999', {}, 'yes')
  expect(status).toBe(0)
  expect(stderr).toContain('Warning.')
})

test('the table has a version of nginx and of OpenSSL for each supported release', () => {
  const text = readFileSync(join(root, 'deploy/node/security-versions.tsv'), 'utf8')
  for (const name of ['bookworm', 'trixie']) {
    expect(text).toMatch(new RegExp(`^${name}\\tnginx\\t\\d`, 'm'))
    expect(text).toMatch(new RegExp(`^${name}\\tlibssl3(t64)?\\t\\d`, 'm'))
  }
  expect(text).toContain('package lists of Debian')
})
