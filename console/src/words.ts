/** Collects the words of all areas from their folders: `<area>/words/<locale>.ts`, at any depth. */

import { ruleWordsOf } from './pickers/rules/kind-words.ts'
import type { Area } from './platform/manifest.ts'
import { providePhrases } from './platform/phrases.ts'

const files = import.meta.glob<{ phrases: Record<string, string> }>('./**/words/*.ts')
const areas = Object.values(import.meta.glob<{ area: Area }>('./*/area.ts', { eager: true })).map(({ area }) => area)

/** The texts about each kind of rule in the shared areas are derived from its title. */
providePhrases(
  new Map(
    Object.entries(files).map(([path, load]) => {
      const name = path.replace(/^.*?([\w-]+)\/words\/(\w+)\.ts$/, '$1/$2')
      const withRules = async () => {
        const { phrases } = await load()
        return { phrases: { ...ruleWordsOf(name, areas, phrases), ...phrases } }
      }
      return [name, withRules]
    }),
  ),
)
