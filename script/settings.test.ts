import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsGroups } from '@breakwater/contract/index.ts'
import { expect, test } from 'vitest'
import { nodeLimits, proofs, settingsPage } from './settings.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test.each(settingsGroups.map((group) => [group.name, group] as const))(
  'every setting of %s has a description, and a test uses it',
  (name, { schema }) => {
    for (const [field, type] of Object.entries(schema.shape)) {
      expect((type as { description?: string }).description, field).toBeTruthy()
      const [file, word] = proofs[name]?.[field] ?? []
      expect(file, `${name}.${field} has no proof`).toBeDefined()
      expect(read(file!), `${file} uses ${field}`).toContain(word)
    }
  },
)

test('docs/settings.md matches what the contract generates', () => {
  expect(read('docs/settings.md')).toBe(settingsPage())
})

test('the limits of a node are in its configuration', () => {
  const conf = read('edge/golden/full/nginx.conf')
  for (const [directive] of nodeLimits) expect(conf).toContain(directive)
})
