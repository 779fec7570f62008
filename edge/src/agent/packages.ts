/** Versions of the Debian packages whose security fixes are tracked, read again whenever dpkg's database changes. */
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { log, reasonOf } from './log.ts'

type Packages = NonNullable<NodeHealth['packages']>

/** OpenSSL's library has a different name from Debian 13 on. */
const names = ['nginx', 'libssl3', 'libssl3t64']
// biome-ignore lint/suspicious/noTemplateCurlyInString: these are dpkg-query's own placeholders.
const format = '${db:Status-Status} ${Package} ${Version}\\n'
const database = '/var/lib/dpkg/status'

/** Pure: parses dpkg-query's lines in the format above and the text of os-release. */
export function readPackages(lines: string, osRelease: string): Packages {
  const release = /^VERSION_CODENAME="?([a-z]+)/m.exec(osRelease)?.[1] ?? ''
  const installed = [...lines.matchAll(/^installed (\S+) (\S+)$/gm)]
  return { release, versions: Object.fromEntries(installed.map(([, name = '', version = '']) => [name, version])) }
}

/** Returns a reader of the packages; it returns undefined on a machine without dpkg. */
export function packagesReader(): () => Promise<Packages | undefined> {
  let known: { changedAt: number; packages: Packages } | undefined
  return async () => {
    try {
      const changedAt = statSync(database).mtimeMs
      if (known?.changedAt !== changedAt) known = { changedAt, packages: await askDpkg() }
      return known.packages
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.warn('cannot read the versions of packages', { reason: reasonOf(error) })
      return undefined
    }
  }
}

async function askDpkg(): Promise<Packages> {
  // dpkg-query fails if one of the names is unknown, but still prints the others.
  const { stdout } = await promisify(execFile)('dpkg-query', ['-W', '-f', format, ...names], { timeout: 5000 }).catch(
    (error: { code?: number; stdout?: string }) => {
      if (error.code !== 1) throw error
      return { stdout: error.stdout ?? '' }
    },
  )
  return readPackages(stdout, readFileSync('/etc/os-release', 'utf8'))
}
