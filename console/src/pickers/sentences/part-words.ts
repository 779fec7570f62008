/** Describes a change of a part that is not a rule, in a sentence: a domain, a settings group, the site itself. */
import { marked } from '../../kit/Marked.tsx'
import type { RuleKinds, RuleSay } from '../../platform/rule-kinds.ts'
import { changeWords, fieldChanges, fieldsOfRule } from './rule-words.ts'

/** Returns the list that a path belongs to, and the key of the item in it. */
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
/** If the kind is unknown, because the audit log truncated the value, the text just says "module". */
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

/** Which modules were bound to a domain, unbound or replaced: `WAF module bound`. */
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

/** Returns the sentence. Values that the audit log truncated to a string are not described in detail. */
export function partWords(kinds: RuleKinds, { path, kind, before, after }: PartChange, say: RuleSay): string {
  const [list, name] = split(path)
  const isCut = [before, after].some((value) => typeof value === 'string')
  if (list in kinds && !isCut) return changeWords(kinds, list, before, after, say)
  const named = { name: subject(list, name, after ?? before, say) }
  if (list === 'domains' && name.endsWith('/modules') && !isCut) {
    const bindings = (value: unknown) => (isObject(value) ? value : {})
    return say.t('part.fields', { ...named, changes: bindingChanges(bindings(before), bindings(after), say) })
  }
  // Settings always exist: saving them for the first time replaced the defaults.
  if (list === 'settings' && kind !== 'changed') return say.t(kind === 'added' ? 'part.set' : 'part.reset', named)
  if (kind !== 'changed' || !isObject(before) || !isObject(after)) return say.t(`part.${kind}`, named)
  // A module's own fields are in its body, as with a rule.
  const [was, is] = list === 'modules' ? [fieldsOfRule(before), fieldsOfRule(after)] : [before, after]
  return say.t('part.fields', { ...named, changes: fieldChanges(kinds, list, was, is, say) })
}
