/** What changed of a part that is no rule, in a sentence: a domain, a group of settings, the site itself. */
import { marked } from '../../kit/Marked.tsx'
import type { RuleKinds, RuleSay } from '../../platform/rule-kinds.ts'
import { changeWords, fieldChanges } from './rule-words.ts'

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
  siteMode: 'unit.siteMode',
  apiShield: 'unit.apiShield',
  authGroups: 'unit.authGroups',
  originTimeouts: 'unit.originTimeouts',
  originTls: 'unit.originTls',
  originCertificate: 'unit.originCertificate',
  originHealth: 'unit.originHealth',
  originCredential: 'unit.originCredential',
} as const
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
    const [domain = '', ...below] = name.split('/')
    return t(below.length > 0 ? 'subject.ofDomain' : 'subject.domain', { name: marked(domain) })
  }
  if (list === 'modules') return t('subject.module', { name: marked(isObject(value) ? String(value.name) : name) })
  if (list === 'authGroups')
    return t('subject.authGroup', { name: marked(isObject(value) ? String(value.name) : name) })
  const key = unitKey(list === 'settings' ? name : list)
  return key ? t(key) : marked(name || list)
}

export type PartChange = { path: string; kind: 'added' | 'removed' | 'changed'; before?: unknown; after?: unknown }

/** The sentence. Values that the audit log shortened to a text are not spelled out. */
export function partWords(kinds: RuleKinds, { path, kind, before, after }: PartChange, say: RuleSay): string {
  const [list, name] = split(path)
  const isCut = [before, after].some((value) => typeof value === 'string')
  if (list in kinds && !isCut) return changeWords(kinds, list, before, after, say)
  const named = { name: subject(list, name, after ?? before, say) }
  if (kind !== 'changed' || !isObject(before) || !isObject(after)) return say.t(`part.${kind}`, named)
  return say.t('part.fields', { ...named, changes: fieldChanges(kinds, list, before, after, say) })
}
