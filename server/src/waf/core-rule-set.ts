/** The OWASP Core Rule Set of Debian's package `modsecurity-crs`: which of its files count here, and its settings. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../http/fault.ts'
import { canonicalJson, sha256 } from '../publish/canonical.ts'
import { type Compiled, compileRules } from './compile.ts'
import { actionsOf, directivesOf } from './directives.ts'

const folder = '/usr/share/modsecurity-crs/rules'

/**
 * Of the rest, 901 holds the settings; 903 are exclusions for applications that nobody chose; 905 is about a server's own
 * requests; 910 and 912 are address lists and limits, which sites have of their own; 949, 959 and 980 add up, which the
 * node does; 95x look at answers.
 */
const fileNames = /^REQUEST-(?:911|913|92[0-2]|93[0-4]|94[1-4])-.*\.conf$/
const settingsFile = 'REQUEST-901-INITIALIZATION.conf'

/** A rule set, and the object that nodes get of it. */
type RuleSet = Compiled & { object: { hash: string; bytes: Buffer } }

let compiled: RuleSet | undefined

/** Compiled once a process. Throws a fault where the package is not installed, and the place where a rule cannot be said. */
export function coreRuleSet(): RuleSet {
  if (!compiled) {
    const made = compileFolder(folder)
    const bytes = Buffer.from(canonicalJson(made.part))
    compiled = { ...made, object: { hash: sha256(bytes).toString('hex'), bytes } }
  }
  return compiled
}

/** What a rule of the set that is installed now is about; '' where it has none of that number. */
export const coreRuleName = (rule: number): string => coreRuleSet().texts.find(({ id }) => id === rule)?.name ?? ''

/** Compiles a folder of SecLang of the Core Rule Set. */
export function compileFolder(path: string): Compiled {
  const read = (name: string) => readFileSync(join(path, name), 'utf8')
  let names: string[]
  try {
    names = readdirSync(path)
  } catch {
    throw new Fault('parameterError', 'the package modsecurity-crs is not installed')
  }
  const initial = read(settingsFile)
  return compileRules({
    name: versionOf(initial),
    settings: settingsOf(initial),
    files: names
      .filter((name) => fileNames.test(name))
      .sort()
      .map((name) => ({ name, text: read(name) })),
    readWords: read,
  })
}

const versionOf = (text: string): string =>
  `OWASP CRS ${/SecComponentSignature "OWASP_CRS\/([\d.]+)"/.exec(text)?.[1] ?? /ver\.([\d.]+)/.exec(text)?.[1] ?? ''}`.trim()

/** What the rule set says of a setting that nobody chose: `SecRule &TX:name "@eq 0" "…,setvar:'tx.name=value'"`. */
function settingsOf(text: string): Map<string, string> {
  const settings = new Map<string, string>()
  for (const {
    name,
    arguments: [variables = '', operator, actions = ''],
  } of directivesOf(settingsFile, text)) {
    const given = /^&TX:(\w+)$/i.exec(variables)?.[1]?.toLowerCase()
    if (name !== 'SecRule' || given === undefined || operator !== '@eq 0') continue
    for (const action of actionsOf(actions)) {
      const [, set, value] = (action.name === 'setvar' && /^tx\.(\w+)=(.*)$/is.exec(action.value)) || []
      if (set?.toLowerCase() === given && value !== undefined) settings.set(given, value)
    }
  }
  return settings
}
