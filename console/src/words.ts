/** The words of all areas, found by their folders: `<area>/words/<locale>.ts`, at any depth. */

import { ruleWordsOf } from './pickers/rules/kind-words.ts'
import { providePhrases } from './platform/phrases.ts'

const files = import.meta.glob<{ phrases: Record<string, string> }>('./**/words/*.ts')
const saysRules = /^(logs|audit)\//

/** What the log and the audit log say of each kind of rule follows from its title. */
providePhrases(
  new Map(
    Object.entries(files).map(([path, load]) => {
      const name = path.replace(/^.*?([\w-]+)\/words\/(\w+)\.ts$/, '$1/$2')
      const withRules = async () => {
        const [{ phrases }, { areas }] = await Promise.all([load(), import('./areas.ts')])
        return { phrases: { ...ruleWordsOf(name, areas, phrases), ...phrases } }
      }
      return [name, saysRules.test(name) ? withRules : load]
    }),
  ),
)
