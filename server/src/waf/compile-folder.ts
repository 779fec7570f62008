/** Compiles a folder of SecLang into a rule set: the OWASP Core Rule Set 3.3 or 4, or custom rules. */

import type { RuleSetLeftOut } from '@breakwater/contract/nodes/rule-sets.ts'
import { type Compiled, compileRules, type Source } from './compile.ts'
import { actionsOf, directivesOf, SecLangError, SecLangErrors } from './directives.ts'
import { type Exclusion, exclusionOf } from './exclusions.ts'
import { changedIn, readSetup, type Setup, unusedOf } from './setup.ts'

const settingsFile = 'REQUEST-901-INITIALIZATION.conf'
/**
 * The files for the uploader's own settings and exclusions, with the names and places that the rule set's authors
 * define.
 */
const setupFile = 'crs-setup.conf'
const beforeFile = 'REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf'
const afterFile = 'RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf'
export const ownFiles = [setupFile, beforeFile, afterFile]
/** Read if the set has no file of that name. */
export const setupExample = `${setupFile}.example`

/**
 * The files of the Core Rule Set that are used. 901 contains the settings; 903 are exclusions for applications that
 * nobody chose; 905 is about a server's own requests; 910 and 912 are address lists and limits, which sites have
 * themselves; 949, 959 and 980 sum the scores, which the node does. 999 of version 4 excludes cookies of well-known
 * services from matching.
 */
const ofCoreRuleSet = /^REQUEST-(?:911|913|92\d|93\d|94[0-8]|999-COMMON-EXCEPTIONS)-.*\.conf$/
/** Response rules, which are evaluated separately. */
const ofResponses = /^RESPONSE-95[0-8]-.*\.conf$/

export type CompiledFolder = Pick<Compiled, 'part' | 'texts'> & {
  /** Response rules; undefined if the folder has none. */
  responses: Compiled['part'] | undefined
  leftOut: RuleSetLeftOut[]
}

/**
 * `files` are the texts of one folder by name; `fallback` is the set's name if it does not define one itself. Throws
 * `SecLangErrors`.
 */
export function compileFolder(files: ReadonlyMap<string, string>, fallback: string): CompiledFolder {
  const initial = files.get(settingsFile)
  const isOfRequests = (name: string) =>
    initial === undefined
      ? /\.conf$/.test(name) && !name.startsWith('RESPONSE-') && !ownFiles.includes(name)
      : ofCoreRuleSet.test(name)
  const chosen = (isRead: (name: string) => boolean): Source['files'] =>
    [...files.keys()].sort().flatMap((name) => (isRead(name) ? [{ name, text: files.get(name)! }] : []))
  const [requests, answers] = [chosen(isOfRequests), chosen((file) => ofResponses.test(file))]
  const problems: SecLangError[] = []
  const noting = <Read>(read: () => Read): Read | undefined => {
    try {
      return read()
    } catch (error) {
      if (error instanceof SecLangErrors) problems.push(...error.list)
      else if (error instanceof SecLangError) problems.push(error)
      else throw error
      return undefined
    }
  }
  const setup = noting(() => setupIn(files))
  const after = noting(() => exclusionsIn(files.get(afterFile) ?? ''))
  const common = {
    name: versionOf(initial ?? requests.map(({ text }) => text).join('\n')) ?? fallback,
    settings: withDefaults(setup, initial ?? ''),
    behind: markersIn(files.get('RESPONSE-959-BLOCKING-EVALUATION.conf') ?? ''),
    readWords(name: string) {
      const text = files.get(name)
      if (text === undefined) throw new Error('no such file')
      return text
    },
  }
  const texts = [...requests, ...answers].map(({ text }) => text)
  if (setup) problems.push(...changedIn(setup, common.settings, texts))
  const own = [...(setup?.exclusions ?? []), ...(after ?? [])]
  const before = setup?.rules ?? []
  const made = noting(() => compileRules({ ...common, files: requests, before, exclusions: own }))
  const ofAnswers = noting(() =>
    compileRules({ ...common, files: answers, before, isOfAnswers: true, exclusions: made?.exclusions ?? own }),
  )
  if (!setup || !made || !ofAnswers || problems.length > 0) throw new SecLangErrors(apart(problems))
  return {
    part: made.part,
    texts: [...made.texts, ...ofAnswers.texts],
    responses: ofAnswers.part.rules.length > 0 ? ofAnswers.part : undefined,
    leftOut: [
      ...setup.leftOut,
      ...unusedOf(setup, [...texts, files.get(beforeFile) ?? '']),
      ...withoutRule([made, ofAnswers]),
    ],
  }
}

/** Without duplicates: what precedes the rules is read once for each of the two kinds. */
const apart = (problems: readonly SecLangError[]): SecLangError[] => [
  ...new Map(problems.map((problem) => [problem.message, problem])).values(),
]

function setupIn(files: ReadonlyMap<string, string>): Setup {
  const name = files.has(setupFile) ? setupFile : setupExample
  return readSetup([name, beforeFile].map((file) => ({ name: file, text: files.get(file) ?? '' })))
}

/** Only exclusions are allowed after the rules. Throws `SecLangError`. */
function exclusionsIn(text: string): Exclusion[] {
  return directivesOf(afterFile, text).map((directive) => {
    const exclusion = exclusionOf(directive)
    if (!exclusion) throw new SecLangError(directive, `${directive.name} is not known behind the rules`)
    return exclusion
  })
}

/** The uploader's exclusions that match no rule in the set, neither for requests nor for responses. */
function withoutRule(compiled: readonly Compiled[]): RuleSetLeftOut[] {
  const byPlace = Map.groupBy(
    compiled.flatMap(({ spoken }) => spoken),
    ({ file, line, text }) => `${file}:${line}:${text}`,
  )
  return [...byPlace.values()].flatMap((same) => {
    const { file, line, text } = same[0]!
    const isLeftOut = same.every(({ isUsed }) => !isUsed) && !ofCoreRuleSet.test(file)
    return isLeftOut ? [{ file, line, what: text.slice(0, 500), reason: 'unused' as const }] : []
  })
}

/** The markers of a file that is not read. */
const markersIn = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*SecMarker "?([\w-]+)"?/gm)].map(([, name]) => name!)

/** From its signature, which is the source and the version. */
function versionOf(text: string): string | undefined {
  const [, source, version] = /^[ \t]*SecComponentSignature "([\w .-]{1,60})\/([\w.-]{1,40})"/m.exec(text) ?? []
  if (source !== undefined) return `${source.replaceAll('_', ' ')} ${version}`
  const ofCore = /ver:'OWASP_CRS\/([\w.-]{1,40})'/.exec(text)?.[1]
  return ofCore && `OWASP CRS ${ofCore}`
}

/** The chosen settings, and 901's defaults for the others: `SecRule &TX:name "@eq 0" "…,setvar:'tx.name=value'"`. */
function withDefaults(setup: Setup | undefined, text: string): Map<string, string> {
  const settings = new Map([...(setup?.settings ?? [])].map(([name, { value }]) => [name, value]))
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
