/** Rules as sentences: the same words in the list, the history, Explain and the audit log. */
import { type Format, useFormat } from '../../app/format.ts'
import { type Say, usePhrases } from '../../app/phrases.ts'
import { marked, plain } from '../../kit/Marked.tsx'
import { blockTypeName } from './block-types.ts'

export const ruleKinds = ['allowRules', 'denyRules', 'rateRules', 'bodyRules', 'cacheRules'] as const
export type RuleKind = (typeof ruleKinds)[number]
export const isRuleKind = (text: string): text is RuleKind => ruleKinds.some((one) => one === text)

/** A rule's own fields, as a list, a revision or an audit entry has them: of another version of the program, too. */
export type RuleFields = Readonly<Record<string, unknown>>
/** Texts with marks around the values that a person wrote (`Marked`). */
export type Words = { when: string; does: string }

const shownMax = 2
const methodsAll = 7

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function some(values: readonly string[], t: Say<'rules'>): string {
  const shown = values.slice(0, shownMax).map(marked).join(t('values.joined'))
  return values.length > shownMax ? t('values.more', { values: shown, n: values.length }) : shown
}

function conditionsOf(kind: RuleKind, rule: RuleFields, t: Say<'rules'>): string[] {
  const parts: string[] = []
  if (kind === 'cacheRules') {
    const value = some(textsOf(rule.values), t)
    if (rule.type === 'path') return [t('if.begins', { value })]
    if (rule.type === 'extension') return [t('if.extension', { value })]
    return [t(`if.${rule.type as 'image' | 'page' | 'audioVideo' | 'file'}`)]
  }
  if (kind === 'denyRules' || kind === 'allowRules') parts.push(t('if.address', { value: some(textsOf(rule.ips), t) }))
  if (rule.urlRegex) parts.push(t('if.path', { value: marked(String(rule.urlRegex)) }))
  const methods = textsOf(rule.methodValues)
  if (methods.length > 0 && methods.length < methodsAll)
    parts.push(t('if.method', { value: methods.join(t('values.joined')) }))
  if (kind === 'rateRules') parts.push(t('if.rate', { n: Number(rule.rate), burst: Number(rule.burst) }))
  if (kind === 'bodyRules') parts.push(t('if.body', { value: marked(String(rule.contains)) }))
  return parts
}

function actionOf(kind: RuleKind, rule: RuleFields, t: Say<'rules'>, format: Format): string {
  if (kind === 'allowRules') return t('do.allow')
  if (kind === 'rateRules') return blockTypeName(Number(rule.blockType), t)
  if (kind !== 'cacheRules') return t('do.block')
  if (rule.ttl === 0) return t('do.noStore')
  return t(rule.ignoreQuery ? 'do.keepAny' : 'do.keep', { time: format.duration(Number(rule.ttl)) })
}

/** What a rule says: when it acts, and what it does then. */
export const ruleWords = (kind: RuleKind, rule: RuleFields, t: Say<'rules'>, format: Format): Words => ({
  when: conditionsOf(kind, rule, t).join(t('joined')),
  does: actionOf(kind, rule, t, format),
})

export function useRuleWords(): (kind: RuleKind, rule: RuleFields) => Words {
  const t = usePhrases('rules')
  const format = useFormat()
  return (kind, rule) => ruleWords(kind, rule, t, format)
}

/** Fields that say nothing to people, or that the sentence's subject says already. */
const unseen = new Set(['id', 'sort', 'bodyVersion', 'createdAt', 'updatedAt', 'createdBy', 'body'])
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A saved rule has its own fields in `body`; a rule of a list has them beside the others. */
export const fieldsOfRule = (rule: unknown): RuleFields => {
  const { body, ...rest } = (rule ?? {}) as { body?: RuleFields }
  return { ...body, ...rest }
}

/** The fields of a saved rule that a person set. */
export const seenFields = (rule: unknown): RuleFields =>
  Object.fromEntries(Object.entries(fieldsOfRule(rule)).filter(([field]) => !unseen.has(field)))

function valueWords(field: string, value: unknown, t: Say<'rules'>, format: Format): string {
  if (value === null || value === undefined || value === '') return t('value.nothing')
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no')
  if (field === 'blockType') return blockTypeName(Number(value), t)
  if (field === 'mode') return t(value === 'observe' ? 'mode.observe' : 'mode.enforce')
  if (field === 'expiresAt') return format.moment(String(value))
  if (typeof value === 'number') return format.number(value)
  return Array.isArray(value) ? some(value.map(String), t) : marked(String(value))
}

function fieldChange(field: string, was: unknown, is: unknown, t: Say<'rules'>, format: Format): string {
  const name = (t as (key: string) => string)(`field.${field}`)
  if (Array.isArray(was) && Array.isArray(is) && Math.max(was.length, is.length) > shownMax) {
    const added = is.filter((one) => !was.includes(one)).length
    const removed = was.filter((one) => !is.includes(one)).length
    return `${name} ${t('value.list', { added, removed })}`
  }
  const before = valueWords(field, was, t, format)
  return t('change.field', { field: name, before, after: valueWords(field, is, t, format) })
}

/** One sentence on what became of a rule: made, gone, or which of its fields went from what to what. */
export function changeWords(kind: RuleKind, before: unknown, after: unknown, t: Say<'rules'>, format: Format): string {
  const named = { kind: t(`kind.${kind}`) }
  const sentence = (rule: unknown) => t('sentence', ruleWords(kind, fieldsOfRule(rule), t, format))
  if (!before) return t('change.added', { ...named, sentence: sentence(after) })
  if (!after) return t('change.removed', { ...named, sentence: sentence(before) })
  const [was, is] = [seenFields(before), seenFields(after)]
  const subject = plain(String(was.memo || was.urlRegex || textsOf(was.ips)[0] || textsOf(was.values)[0] || was.type))
  const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => !isSame(was[field], is[field]))
    .map((field) => fieldChange(field, was[field], is[field], t, format))
  const told = changes.length > 0 ? changes.join(t('changes.joined')) : t('change.same')
  return t('change.changed', { ...named, name: marked(subject), changes: told })
}

export function useChangeWords(): (kind: RuleKind, before: unknown, after: unknown) => string {
  const t = usePhrases('rules')
  const format = useFormat()
  return (kind, before, after) => changeWords(kind, before, after, t, format)
}
