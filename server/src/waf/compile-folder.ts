/** A folder of SecLang as a rule set: the OWASP Core Rule Set 3.3 or 4, or rules of somebody's own. */

import { type Compiled, compileRules, type Source } from './compile.ts'
import { actionsOf, directivesOf, type SecLangError, SecLangErrors } from './directives.ts'

const settingsFile = 'REQUEST-901-INITIALIZATION.conf'

/**
 * Of the Core Rule Set these files count. 901 holds the settings; 903 are exclusions for applications that nobody chose;
 * 905 is about a server's own requests; 910 and 912 are address lists and limits, which sites have of their own; 949, 959
 * and 980 add up, which the node does. 999 of version 4 spares cookies of well-known services what they would match.
 */
const ofCoreRuleSet = /^REQUEST-(?:911|913|92\d|93\d|94[0-8]|999-COMMON-EXCEPTIONS)-.*\.conf$/
/** They are about answers, and asked apart. */
const ofResponses = /^RESPONSE-95[0-8]-.*\.conf$/

/** Rules about requests, and rules about answers: none where the folder has none. */
export type CompiledFolder = Compiled & { responses: Compiled['part'] | undefined }

/**
 * `files` are the texts of one folder by name; `fallback` is what the set is called where it does not say so itself. Throws
 * `SecLangErrors`.
 */
export function compileFolder(files: ReadonlyMap<string, string>, fallback: string): CompiledFolder {
  const initial = files.get(settingsFile)
  const isOfRequests = (name: string) =>
    initial === undefined ? /\.conf$/.test(name) && !name.startsWith('RESPONSE-') : ofCoreRuleSet.test(name)
  const all = [...files.keys()].sort()
  const settings = initial === undefined ? new Map<string, string>() : settingsOf(initial)
  const chosen = (isRead: (name: string) => boolean): Source['files'] =>
    all.filter(isRead).map((name) => ({ name, text: files.get(name)! }))
  const readWords = (name: string) => {
    const text = files.get(name)
    if (text === undefined) throw new Error('no such file')
    return text
  }
  const requests = chosen(isOfRequests)
  const name = versionOf(initial ?? requests.map(({ text }) => text).join('\n')) ?? fallback
  const behind = markersIn(files.get('RESPONSE-959-BLOCKING-EVALUATION.conf') ?? '')
  const problems: SecLangError[] = []
  const compile = (read: Source['files']): Compiled | undefined => {
    try {
      return compileRules({ name, settings, files: read, readWords, behind })
    } catch (error) {
      if (!(error instanceof SecLangErrors)) throw error
      problems.push(...error.list)
      return undefined
    }
  }
  const [made, answers] = [compile(requests), compile(chosen((file) => ofResponses.test(file)))]
  if (!made || !answers) throw new SecLangErrors(problems)
  return {
    part: made.part,
    texts: [...made.texts, ...answers.texts],
    responses: answers.part.rules.length > 0 ? answers.part : undefined,
  }
}

/** The markers of a file that is not read. */
const markersIn = (text: string): string[] =>
  [...text.matchAll(/^\s*SecMarker "?([\w-]+)"?/gm)].map(([, name]) => name!)

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
      if (set?.toLowerCase() === given && value !== undefined && !settings.has(given)) settings.set(given, value)
    }
  }
  return settings
}
