/**
 * What is packed together. Left alone, the bundler makes a chunk of every set of pages that share a module: a hundred
 * small files for a first visit, each packed without knowing the others' words and with a list of imports of its own.
 */
import { dirname, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** What pages are made of, by the files that everything else of it hangs on. The start is there before all others. */
const parts: Record<string, readonly string[]> = {
  start: ['src/main.tsx'],
  signIn: ['src/auth/SignInScreen.tsx', 'src/auth/SsoButtons.tsx'],
  frame: ['src/shell/Shell.tsx'],
  form: ['src/kit/Form.tsx', 'src/kit/useResourceForm.ts', 'src/kit/fields/TextField.tsx'],
  list: ['src/kit/ResourceTable.tsx', 'src/sites/SitesScreen.tsx'],
  figures: ['src/statistics/StatisticsScreen.tsx'],
}
const names = Object.keys(parts)

type InfoOf = (id: string) => Rolldown.ModuleInfo | null

/**
 * Of what a page imports, what is loaded beside it instead of after it: the chunks that pages share, which are most of it.
 * To name every small file of every page took 5 KB of the start, which no sign-in needs.
 */
const shared = (_page: string, imported: string[]) => imported.filter((file) => sharedChunk.test(file))
const part = names.filter((name) => name !== 'start').join('|')
const sharedChunk = new RegExp(`^assets/(${part})(-(${part}))*-[\\w-]{8}\\.js$`)

/** A module goes into the chunk of exactly those parts that need it: no page loads what it does not need. */
export function chunks(): Plugin {
  const chunkOf = new Map<string, string>()
  const groups = [...subsets(names).map((set) => set.join('-')), 'libraries'].map((name) => ({
    name,
    test: (id: string) => chunkOf.get(id) === name,
    // Whatever is in a chunk brings along what it imports, unless a chunk before took that: the most shared come first.
    priority: name === 'libraries' ? names.length + 2 : name === 'start' ? names.length + 1 : name.split('-').length,
  }))
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: { polyfill: false, resolveDependencies: shared },
        rolldownOptions: { output: { codeSplitting: { groups } } },
      },
    }),
    buildEnd(error) {
      if (error) return
      const users = new Map<string, string[]>()
      for (const name of names) {
        const roots = parts[name]!.map((file) => join(import.meta.dirname, file))
        for (const root of roots) if (!this.getModuleInfo(root)) this.error(`nothing imports ${root}`)
        for (const id of reached(roots, this.getModuleInfo)) users.set(id, [...(users.get(id) ?? []), name])
      }
      // Libraries change seldom: browsers keep theirs over most releases.
      const first = (id: string) => (id.includes('/node_modules/') ? 'libraries' : 'start')
      for (const [id, set] of users) chunkOf.set(id, set[0] === 'start' ? first(id) : set.join('-'))
    },
  }
}

/** Everything that some modules import, and they themselves. */
function reached(roots: readonly string[], infoOf: InfoOf): Set<string> {
  const seen = new Set(roots)
  // A set gives what is added while it is gone through, too.
  for (const id of seen) for (const next of importsOf(id, infoOf)) seen.add(next)
  return seen
}

const allIcons = /\/lucide-react\/dist\/esm\/lucide-react\.mjs$/

/** What a module imports. The list of all icons is looked through, to those that the module names. */
function importsOf(id: string, infoOf: InfoOf): readonly string[] {
  const info = infoOf(id)
  return (info?.importedIds ?? []).flatMap((next) => {
    if (!allIcons.test(next)) return [next]
    const list = infoOf(next)?.code ?? ''
    const [, named = ''] = /import \{([^}]*)\} from ['"]lucide-react['"]/.exec(info?.code ?? '') ?? []
    return named.split(',').flatMap((one) => {
      const name = one.trim().split(' as ')[0]
      const [, file] = new RegExp(`default as ${name}\\b[^}]*\\} from '([^']+)'`).exec(list) ?? []
      return file ? [join(dirname(next), file)] : []
    })
  })
}

/** Every choice of some of them, in their order. */
function subsets(all: readonly string[]): string[][] {
  const [first, ...rest] = all
  if (first === undefined) return []
  const without = subsets(rest)
  return [[first], ...without, ...without.map((set) => [first, ...set])]
}
