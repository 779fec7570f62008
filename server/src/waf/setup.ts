/** `crs-setup.conf` and the actions of `REQUEST-900`: the settings that the uploader of a rule set has chosen. */
import type { RuleSetLeftOut } from '@breakwater/contract/nodes/rule-sets.ts'
import { isWithoutEffect, severities } from './actions.ts'
import { actionsOf, type Directive, directivesOf, type Place, SecLangError, SecLangErrors } from './directives.ts'
import { controlOf, type Exclusion, exclusionOf } from './exclusions.ts'

export type Setup = {
  /** The content of `TX` before the first rule, by lower-case name, with the location of each value. */
  settings: Map<string, { value: string; place: Place }>
  /** Rules and exclusions, which are compiled with the others. */
  rules: Directive[]
  /** What actions exclude for every request. */
  exclusions: Exclusion[]
  leftOut: RuleSetLeftOut[]
}

/** Sites and zones choose these: how much is inspected and refused, for how many requests, and by which addresses. */
const ofSites = new RegExp(
  `^(?:${[
    ...['(?:(?:executing|blocking|detection)_)?paranoia_level', '(?:in|out)bound_anomaly_score_threshold'],
    ...['early_blocking', 'sampling_percentage', 'reporting_level', 'dos_\\w+', 'do_reput_block'],
    ...['reput_block_duration', 'block_\\w+_ip', 'high_risk_country_codes', 'enable_default_collections'],
  ].join('|')})$`,
)
/** Not supported by nodes: they parse bodies by content type, and do not know exclusion packages. */
const unknown = /^(?:enforce_bodyproc_urlencoded|crs_exclusions_\w+)$/
/** Indicates that there is a setup. */
const versionName = 'crs_setup_version'

/** Directives about how the engine reads, logs and refuses. */
const ofEngine =
  /^Sec(?:RuleEngine|DefaultAction|CollectionTimeout|Audit\w+|Debug\w+|(?:Request|Response)Body\w+|StatusEngine|TmpDir|DataDir|Upload\w+|Pcre\w+|Argument\w+|CookieFormat|UnicodeMapFile|GeoLookupDb|HttpBlKey|Sensor\w+|Server\w+|Web\w+)$/i
/** As in every release. */
const asReleased = [/^SecDefaultAction phase:[1-5],log,auditlog,pass$/, /^SecCollectionTimeout 600$/]
const engineControls = /^(?:ruleEngine|auditEngine|auditLogParts|debugLogLevel|(?:request|response)BodyAccess)=/

const descriptive = ['id', 'msg', 'tag', 't', 'severity']

/** Files in reading order. Throws `SecLangErrors`. */
export function readSetup(files: readonly { name: string; text: string }[]): Setup {
  const setup: Setup = { settings: new Map(), rules: [], exclusions: [], leftOut: [] }
  const problems: SecLangError[] = []
  for (const { name, text } of files) {
    try {
      readFile(setup, directivesOf(name, text))
    } catch (error) {
      if (!(error instanceof SecLangError)) throw error
      problems.push(error)
    }
  }
  if (problems.length > 0) throw new SecLangErrors(problems)
  return setup
}

function readFile(setup: Setup, directives: readonly Directive[]): void {
  let isChained = false
  for (const directive of directives) {
    const { name, arguments: given } = directive
    if (name === 'SecAction') takeAction(setup, directive, given[0] ?? '')
    else if (ofEngine.test(name)) leaveOutDirective(setup, directive)
    else takeRule(setup, directive, isChained)
    isChained = name === 'SecRule' && actionsOf(given[2] ?? '').some((action) => action.name === 'chain')
  }
}

function takeRule(setup: Setup, directive: Directive, isChained: boolean): void {
  const exclusion = exclusionOf(directive)
  const byDefault = isChained ? undefined : defaultIn(directive)
  if (exclusion) setup.exclusions.push(exclusion)
  else if (byDefault === undefined) setup.rules.push(directive)
  else if (!setup.settings.has(byDefault)) takeAction(setup, directive, directive.arguments[2] ?? '')
}

function leaveOutDirective({ leftOut }: Setup, { file, line, name, arguments: given }: Directive): void {
  const what = [name, ...given].join(' ')
  if (!asReleased.some((one) => one.test(what))) leftOut.push({ file, line, what, reason: 'own' })
}

/**
 * The name in `SecRule &TX:name "@eq 0" "…,setvar:tx.name=value"`: a setting that gets this value unless one was chosen
 * before.
 */
function defaultIn({ name, arguments: [variables = '', operator] }: Directive): string | undefined {
  return name === 'SecRule' && operator === '@eq 0' ? /^&TX:(\w+)$/i.exec(variables)?.[1]?.toLowerCase() : undefined
}

function takeAction(setup: Setup, directive: Directive, text: string): void {
  for (const { name, value } of actionsOf(text)) {
    if (name === 'setvar') takeSetting(setup, directive, value)
    else if (name === 'ctl') takeControl(setup, directive, value)
    else if (!descriptive.includes(name) && !isWithoutEffect(name))
      throw new SecLangError(directive, `the action ${name} of a setting is not known`)
  }
}

function takeControl({ exclusions, leftOut }: Setup, { file, line, ...at }: Directive, value: string): void {
  const place = { file, line }
  if (engineControls.test(value)) leftOut.push({ ...place, what: `ctl:${value}`, reason: 'own' })
  else exclusions.push({ ...controlOf(value, place), at: { ...place, ...at } })
}

function takeSetting({ settings, leftOut }: Setup, { file, line }: Directive, text: string): void {
  const place = { file, line }
  const [, given = '', said = ''] = /^tx\.([\w.-]+)=(.*)$/is.exec(text) ?? []
  const name = given.toLowerCase()
  if (name === '' || /^[+-]/.test(said)) throw new SecLangError(place, `setvar:${text} is not known`)
  if (name === versionName) return
  if (ofSites.test(name)) {
    leftOut.push({ ...place, what: `tx.${text.slice(3)}`, reason: 'own' })
    return
  }
  const value = said.replace(/%\{tx\.([^}]+)\}/gi, (_, other: string) => settings.get(other.toLowerCase())?.value ?? '')
  if (value.includes('%{')) throw new SecLangError(place, `a setting that changes with the request: setvar:${text}`)
  if (unknown.test(name) && value !== '0') throw new SecLangError(place, `the setting ${name} is not known`)
  const severity = /^(\w+)_anomaly_score$/.exec(name)?.[1] ?? ''
  if (severity in severities && !/^(?:\d{1,2}|100)$/.test(value))
    throw new SecLangError(place, `the score ${value} is not known: 0 to 100`)
  settings.set(name, { value, place })
}

/**
 * Settings are inserted where rules refer to them, so a variable that rules change during evaluation is not a setting.
 */
export function changedIn(
  setup: Setup,
  settings: ReadonlyMap<string, string>,
  texts: readonly string[],
): SecLangError[] {
  const written = new Set(texts.flatMap((text) => namesIn(text, /\bsetvar:'?tx\.([\w.-]+)=/gi)))
  const byRules = setup.rules.flatMap((directive) =>
    namesIn(directive.arguments[2] ?? '', /\bsetvar:'?tx\.([\w.-]+)=/gi)
      .filter((name) => settings.has(name))
      .map((name) => new SecLangError(directive, `the setting ${name} that changes with the request is not known`)),
  )
  const ofRules = [...setup.settings]
    .filter(([name]) => written.has(name))
    .map(([name, { place }]) => new SecLangError(place, `the setting ${name} is changed by rules`))
  return [...byRules, ...ofRules]
}

/** Settings that no rule in these texts uses. */
export function unusedOf({ settings }: Setup, texts: readonly string[]): RuleSetLeftOut[] {
  const asked = new Set(texts.flatMap((text) => namesIn(text, /\btx[.:]([\w.-]+)/gi)))
  return [...settings].flatMap(([name, { value, place }]) =>
    asked.has(name) ? [] : [{ ...place, what: `tx.${name}=${value}`.slice(0, 500), reason: 'unused' as const }],
  )
}

const namesIn = (text: string, expression: RegExp): string[] =>
  [...text.matchAll(expression)].map(([, name]) => name!.toLowerCase())
