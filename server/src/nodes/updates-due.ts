/** Packages of a node that are older than their security fixes, according to `deploy/node/security-versions.tsv`. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import type { ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { compareDebianVersions } from './debian-version.ts'

type Minimum = { release: string; package: string; version: string }

const minimums = parseMinimums(
  readFileSync(resolve(import.meta.dirname, '../../../deploy/node/security-versions.tsv'), 'utf8'),
)

/** The rows of `release<TAB>package<TAB>version`; lines that start with # are comments. */
function parseMinimums(text: string): Minimum[] {
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return rows.map((line) => {
    const [release = '', name = '', version = ''] = line.split('\t')
    return { release, package: name, version }
  })
}

/** Empty if the node has not reported its packages, or runs a release without rows. */
export function updatesDue(health: NodeHealth | null): ZoneNode['updatesDue'] {
  const packages = health?.packages
  if (!packages) return []
  return minimums.flatMap(({ release, package: name, version: minimum }) => {
    const installed = release === packages.release ? packages.versions[name] : undefined
    if (installed === undefined || compareDebianVersions(installed, minimum) >= 0) return []
    return [{ package: name, installed, minimum }]
  })
}
