import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** What the frame has loaded before any page, and what is loaded with the first fault. */
const everywhere = ['app', 'kit', 'errors']

/** A file and all that it imports at once. */
function filesOf(file: string, files = new Set<string>()): Set<string> {
  if (files.has(file) || !/\.tsx?$/.test(file)) return files
  files.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/^import (?!type )[^'"]*?['"](\.[^'"]+)['"]/gm)
  for (const [, path] of imports) filesOf(resolve(dirname(file), path!), files)
  return files
}

function wordsOf(file: string): string[] {
  const words = [...filesOf(file)].flatMap((one) =>
    [...readFileSync(one, 'utf8').matchAll(/usePhrases\('(\w+)'\)/g)].map(([, area]) => area!),
  )
  return [...new Set(words)].filter((area) => !everywhere.includes(area)).sort()
}

test.each(['pages.ts', 'SiteWorkspace.tsx'])(
  'every page of %s has all its words loaded with it, and no others',
  (list) => {
    const source = readFileSync(resolve(import.meta.dirname, list), 'utf8')
    const entries = [
      ...source.matchAll(/=> import\('([^']+)'\)\.then\(\(file\) => file\.\w+\),\s*(?:words: )?(?:\[([^\]]*)\])?/g),
    ]
    expect(entries.length).toBeGreaterThan(9)
    for (const [, path, words = ''] of entries) {
      const named = [...words.matchAll(/\w+/g)].map(([area]) => area).sort()
      expect([path, ...named]).toEqual([path, ...wordsOf(resolve(import.meta.dirname, path!))])
    }
  },
)
