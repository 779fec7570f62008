/**
 * Decides which modules are bundled together. By default, the bundler creates a chunk for every set of pages that share
 * a module. A first visit would then load a hundred small files, each compressed on its own and with its own list of
 * imports.
 */
import { basename, dirname, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/**
 * The parts of the console, each named by the files that import the rest of it. The start is loaded before all other
 * parts.
 */
const parts: Record<string, readonly string[]> = {
  start: ['src/main.tsx'],
  signIn: ['src/auth/SignInScreen.tsx', 'src/auth/SsoButtons.tsx'],
  frame: ['src/shell/Shell.tsx'],
  form: ['src/kit/Form.tsx', 'src/kit/useResourceForm.ts', 'src/kit/fields/TextField.tsx'],
  list: ['src/kit/ResourceTable.tsx', 'src/sites/SitesScreen.tsx'],
  figures: ['src/statistics/StatisticsScreen.tsx'],
}
const names = Object.keys(parts)

/**
 * What a page of its own imports besides these parts is one chunk as well, named after its folder: a dozen small files
 * take longer to request than to read.
 */
const pages: Record<string, string> = { domains: 'src/domains/DomainsScreen.tsx' }

/** The words that are loaded before the first render are one chunk for each language. */
const firstWords = ['zh_TW', 'zh_CN', 'en_US'].map((locale) => ({
  name: `words-${locale}`,
  test: new RegExp(`/src/(kit|kit/errors|platform)/words/${locale}\\.ts$`),
}))

type InfoOf = (id: string) => Rolldown.ModuleInfo | null

/**
 * Which imports of a page are preloaded with it instead of after it: the chunks that pages share, which are most of the
 * code. Naming every small file of every page added 5 KB to the start, which the sign-in page does not need.
 */
const shared = (_page: string, imported: string[]) => imported.filter((file) => sharedChunk.test(file))
const part = names.filter((name) => name !== 'start').join('|')
const sharedChunk = new RegExp(`^assets/(${part})(-(${part}))*-[\\w-]{8}\\.js$`)

/**
 * Puts a module into the chunk of exactly the parts that need it, so that no page loads code it does not need. A page
 * also names what its imports import, which is then fetched at once instead of one level after the other.
 */
export function chunks(): Plugin {
  const chunkOf = new Map<string, string>()
  const groups = [...subsets(names).map((set) => set.join('-')), 'libraries'].map((name) => ({
    name,
    test: (id: string) => chunkOf.get(id) === name,
    // A chunk pulls in its imports unless a chunk of higher priority already took them, so the most shared come first.
    priority: name === 'libraries' ? names.length + 2 : name === 'start' ? names.length + 1 : name.split('-').length,
  }))
  const small = Object.keys(pages).map((name) => ({ name, test: (id: string) => chunkOf.get(id) === name }))
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: { polyfill: false, resolveDependencies: shared },
        rolldownOptions: { output: { codeSplitting: { groups: [...groups, ...small, ...firstWords] } } },
      },
    }),
    generateBundle(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
      )
      const imported = (file: string) => chunks.get(file)?.imports ?? []
      const atStart = closure(
        [...chunks.values()].flatMap((file) => (file.isEntry ? [file.fileName] : [])),
        imported,
      )
      for (const chunk of chunks.values()) {
        if (!chunk.isDynamicEntry) continue
        for (const file of closure(chunk.imports, imported)) {
          const isKnown = atStart.has(file) || sharedChunk.test(file) || chunk.imports.includes(file)
          if (isKnown || file === chunk.fileName) continue
          // Last, so that the order in which modules run stays the same.
          chunk.code += `import"./${basename(file)}";`
        }
      }
    },
    buildEnd(error) {
      if (error) return
      const users = new Map<string, string[]>()
      for (const name of names) {
        const roots = parts[name]!.map((file) => join(import.meta.dirname, file))
        for (const root of roots) if (!this.getModuleInfo(root)) this.error(`nothing imports ${root}`)
        for (const id of closure(roots, (id) => importsOf(id, this.getModuleInfo)))
          users.set(id, [...(users.get(id) ?? []), name])
      }
      // Libraries seldom change, so browsers keep them cached across most releases.
      const first = (id: string) => (id.includes('/node_modules/') ? 'libraries' : 'start')
      for (const [id, set] of users) chunkOf.set(id, set[0] === 'start' ? first(id) : set.join('-'))
      for (const [name, file] of Object.entries(pages)) {
        const [page, ...rest] = closure([join(import.meta.dirname, file)], (id) => importsOf(id, this.getModuleInfo))
        if (!this.getModuleInfo(page!)) this.error(`nothing imports ${page}`)
        // Not the page itself: others share only what it imports.
        for (const id of rest) if (!chunkOf.has(id)) chunkOf.set(id, name)
      }
    },
  }
}

/** Returns the given files and everything that they import. */
function closure(roots: readonly string[], imported: (file: string) => readonly string[]): Set<string> {
  const seen = new Set(roots)
  // Iterating over a Set also visits the items added during the iteration.
  for (const file of seen) for (const next of imported(file)) seen.add(next)
  return seen
}

const allIcons = /\/lucide-react\/dist\/esm\/lucide-react\.mjs$/

/** Returns what a module imports. The index file of all icons is resolved to the icons that the module names. */
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

/** Returns every non-empty subset, in the order of the list. */
function subsets(all: readonly string[]): string[][] {
  const [first, ...rest] = all
  if (first === undefined) return []
  const without = subsets(rest)
  return [[first], ...without, ...without.map((set) => [first, ...set])]
}
