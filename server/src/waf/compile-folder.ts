/** A folder of SecLang as a rule set: the OWASP Core Rule Set 3.3 or 4, or rules of somebody's own. */

import { type Compiled, compileRules } from './compile.ts'
import { actionsOf, directivesOf } from './directives.ts'

const settingsFile = 'REQUEST-901-INITIALIZATION.conf'

/**
 * Of the Core Rule Set these files count. 901 holds the settings; 903 are exclusions for applications that nobody chose;
 * 905 is about a server's own requests; 910 and 912 are address lists and limits, which sites have of their own; 949, 959,
 * 980 and 999 add up, which the node does; 95x look at answers.
 */
const ofCoreRuleSet = /^REQUEST-(?:911|913|92\d|93\d|94[0-8])-.*\.conf$/

/** `files` are the texts of one folder by name; `fallback` is what the set is called where it does not say so itself. */
export function compileFolder(files: ReadonlyMap<string, string>, fallback: string): Compiled {
  const initial = files.get(settingsFile)
  const isRead = (name: string) =>
    initial === undefined ? /\.conf$/.test(name) && !name.startsWith('RESPONSE-') : ofCoreRuleSet.test(name)
  const names = [...files.keys()].filter(isRead).sort()
  return compileRules({
    name: versionOf(initial ?? names.map((name) => files.get(name)).join('\n')) ?? fallback,
    settings: initial === undefined ? new Map() : settingsOf(initial),
    files: names.map((name) => ({ name, text: files.get(name)! })),
    readWords(name) {
      const text = files.get(name)
      if (text === undefined) throw new Error('no such file')
      return text
    },
  })
}

/** By its signature, which is the source with its version. */
function versionOf(text: string): string | undefined {
  const [, source, version] = /^\s*SecComponentSignature "([\w .-]{1,60})\/([\w.-]{1,40})"/m.exec(text) ?? []
  if (source !== undefined) return `${source.replaceAll('_', ' ')} ${version}`
  const ofCore = /ver:'OWASP_CRS\/([\w.-]{1,40})'/.exec(text)?.[1]
  return ofCore && `OWASP CRS ${ofCore}`
}

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
