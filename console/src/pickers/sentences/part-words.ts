/** What changed of a part that is no rule, in a sentence: a domain, a group of settings, the site itself. */
import { marked } from '../../kit/Marked.tsx'
import type { RuleKinds, RuleSay } from '../../platform/rule-kinds.ts'
import { changeWords, fieldChanges, fieldsOfRule } from './rule-words.ts'

/** The list that a path belongs to, and what names the item in it. */
const split = (path: string): [list: string, name: string] => {
  const at = path.indexOf('/')
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unitKeys = {
  site: 'unit.site',
  domains: 'unit.domains',
  modules: 'unit.modules',
  compression: 'unit.compression',
  requestHandling: 'unit.requestHandling',
  cacheStatus: 'unit.cacheStatus',
  siteDns: 'unit.siteDns',
  siteMode: 'unit.siteMode',
  apiShield: 'unit.apiShield',
  authGroups: 'unit.authGroups',
  originTimeouts: 'unit.originTimeouts',
  originTls: 'unit.originTls',
  originCertificate: 'unit.originCertificate',
  originHealth: 'unit.originHealth',
  originCredential: 'unit.originCredential',
} as const
const moduleKeys = {
  customHeaders: 'subject.customHeaders',
  urlRedirects: 'subject.urlRedirects',
  cors: 'subject.cors',
  proxyRewrites: 'subject.proxyRewrites',
  tokenAuths: 'subject.tokenAuths',
  luaAcls: 'subject.luaAcls',
  waf: 'subject.waf',
} as const
type ModuleKind = keyof typeof moduleKeys
/** Of a kind that is not known, as the audit log shortened what it was, a module is just one. */
const moduleKey = (value: unknown) =>
  isObject(value) && Object.hasOwn(moduleKeys, String(value.kind))
    ? moduleKeys[value.kind as ModuleKind]
    : 'subject.module'

const unitKey = (part: string) => (unitKeys as Record<string, (typeof unitKeys)[keyof typeof unitKeys]>)[part]

/** The name of a part as a heading: *Domains*, *Deny rule*, *Compression*. A part without a name keeps its key. */
export function unitName(kinds: RuleKinds, part: string, { t, text }: RuleSay): string {
  const kind = kinds[part]
  if (kind) return text(kind.name)
  const key = unitKey(part)
  return key ? t(key) : part
}

function subject(list: string, name: string, value: unknown, say: RuleSay): string {
  const { t } = say
  if (list === 'domains') {
    const [domain = ''] = name.split('/')
    return t('subject.domain', { name: marked(domain) })
  }
  if (list === 'modules') return t(moduleKey(value), { name: marked(isObject(value) ? String(value.name) : name) })
  if (list === 'authGroups')
    return t('subject.authGroup', { name: marked(isObject(value) ? String(value.name) : name) })
  const key = unitKey(list === 'settings' ? name : list)
  return key ? t(key) : marked(name || list)
}

/** Which modules a domain got, lost or has another of: `WAF module bound`. */
function bindingChanges(before: Record<string, unknown>, after: Record<string, unknown>, { t }: RuleSay): string {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (kind) => before[kind] !== after[kind],
  )
  return kinds
    .map((kind) => {
      const how = before[kind] === undefined ? 'bound' : after[kind] === undefined ? 'unbound' : 'rebound'
      return t(`module.${how}`, { module: t(moduleKey({ kind }), { name: '' }).trim() })
    })
    .join(t('changes.joined'))
}

export type PartChange = { path: string; kind: 'added' | 'removed' | 'changed'; before?: unknown; after?: unknown }

/** The sentence. Values that the audit log shortened to a text are not spelled out. */
export function partWords(kinds: RuleKinds, { path, kind, before, after }: PartChange, say: RuleSay): string {
  const [list, name] = split(path)
  const isCut = [before, after].some((value) => typeof value === 'string')
  if (list in kinds && !isCut) return changeWords(kinds, list, before, after, say)
  const named = { name: subject(list, name, after ?? before, say) }
  if (list === 'domains' && name.endsWith('/modules') && !isCut) {
    const bindings = (value: unknown) => (isObject(value) ? value : {})
    return say.t('part.fields', { ...named, changes: bindingChanges(bindings(before), bindings(after), say) })
  }
  // Settings are always there: what is saved first took the place of the defaults.
  if (list === 'settings' && kind !== 'changed') return say.t(kind === 'added' ? 'part.set' : 'part.reset', named)
  if (kind !== 'changed' || !isObject(before) || !isObject(after)) return say.t(`part.${kind}`, named)
  // What a module says is a body of its own, as that of a rule.
  const [was, is] = list === 'modules' ? [fieldsOfRule(before), fieldsOfRule(after)] : [before, after]
  return say.t('part.fields', { ...named, changes: fieldChanges(kinds, list, was, is, say) })
}
