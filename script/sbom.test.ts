import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { licencesOf, makeSbom, refusedIn } from './sbom.ts'

const sbom = makeSbom()

test('every component of a release has a licence that permits distribution', () => {
  expect(sbom.components.length).toBeGreaterThan(100)
  expect(refusedIn(sbom)).toEqual([])
})

test('a component without a licence, or with one not on the list, is refused', () => {
  const part = (licence?: string) => ({
    ...{ type: 'library', name: 'x', version: '1' },
    licenses: licence ? [{ license: { id: licence } }] : [],
  })
  const refused = refusedIn({ ...sbom, components: [part(), part('SSPL-1.0'), part('MIT')] })
  expect(refused).toEqual(['x 1: no licence', 'x 1: SSPL-1.0'])
  expect(licencesOf({ ...part(), licenses: [{ expression: '(MIT OR CC0-1.0)' }] })).toEqual(['MIT', 'CC0-1.0'])
})

test('NOTICE and the SBOM name the contents of binary packages', () => {
  const notice = readFileSync(join(import.meta.dirname, '../NOTICE'), 'utf8')
  for (const name of ['PostgreSQL', 'OpenSSL', 'ICU', 'ClickHouse', 'chDB', 'libvips', 'DB-IP'])
    expect(notice).toContain(name)
  const names = sbom.components.map((component) => component.name)
  expect(names).toEqual(expect.arrayContaining(['PostgreSQL', 'OpenSSL', 'ICU', 'ClickHouse']))
})

test('the same lockfile gives the same SBOM', () => {
  expect(makeSbom()).toEqual(sbom)
  expect(JSON.stringify(sbom)).not.toContain('timestamp')
})
