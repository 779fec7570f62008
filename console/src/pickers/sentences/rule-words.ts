/**
 * Describes rules in sentences: the same words in the list, the history, Explain and the audit log. The kinds come from
 * their areas.
 */
import type { Frequency } from '@breakwater/contract/firewall/frequencies.ts'
import { countryNames, fill } from '@breakwater/contract/phrases.ts'
import { marked, plain } from '../../kit/Marked.tsx'
import type { Format } from '../../platform/format.ts'
import type { Locale } from '../../platform/locale.ts'
import type { Say } from '../../platform/phrases.ts'
import type { RuleFields, RuleKinds, RuleSay } from '../../platform/rule-kinds.ts'
import { blockTypeName } from './block-type-name.ts'

/** Texts with marks around values that a person wrote (`Marked`). */
export type Words = { when: string; does: string }

const shownMax = 2

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function some(values: readonly string[], t: Say<'rules'>): string {
  const shown = values.slice(0, shownMax).map(marked).join(t('values.joined'))
  return values.length > shownMax ? t('values.more', { values: shown, n: values.length }) : shown
}

/** Creates the helpers for rule sentences in a language. */
export const makeRuleSay = (
  t: Say<'rules'>,
  format: Format,
  locale: Locale,
  offered: readonly Frequency[] = [],
): RuleSay => ({
  t,
  format,
  text: (text, values) => fill(text[locale], locale, values),
  value: marked,
  list: (value) => some(textsOf(value), t),
  countryName: countryNames(locale),
  frequency: (id) => offered.find((one) => one.id === id),
  blockTypeName: (type) => blockTypeName(type, t),
})

/** Describes a rule: when it applies, and what it does. Empty for a kind that no area provides. */
export function ruleWords(kinds: RuleKinds, kind: string, rule: RuleFields, say: RuleSay): Words {
  const known = kinds[kind]
  return { when: known?.when(rule, say).join(say.t('joined')) ?? '', does: known?.does(rule, say) ?? '' }
}

/** Fields that are of no interest to people, or that the sentence's subject states already. */
const unseen = new Set(['id', 'sort', 'bodyVersion', 'createdAt', 'updatedAt', 'createdBy', 'body'])
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A saved rule has its own fields in `body`; a rule from a list has them beside the common ones. */
export const fieldsOfRule = (rule: unknown): RuleFields => {
  const { body, ...rest } = (rule ?? {}) as { body?: RuleFields }
  return { ...body, ...rest }
}

/** The fields of a saved rule that a person sets. */
export const seenFields = (rule: unknown): RuleFields =>
  Object.fromEntries(Object.entries(fieldsOfRule(rule)).filter(([field]) => !unseen.has(field)))

/** Returns the text of a key that may not exist. */
function wordsOf(key: string, { t }: RuleSay): string | undefined {
  const words = (t as (key: string) => string)(key)
  return words === key ? undefined : words
}

function valueWords(field: string, value: unknown, say: RuleSay): string {
  const { t, format } = say
  const known = typeof value === 'object' ? undefined : wordsOf(`value.${field}.${String(value)}`, say)
  if (known !== undefined) return known
  if (value === null || value === undefined || value === '') return t('value.nothing')
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no')
  if (field === 'blockType') return blockTypeName(Number(value), t)
  if (field === 'mode' && (value === 'observe' || value === 'enforce'))
    return t(value === 'observe' ? 'mode.observe' : 'mode.enforce')
  if (field === 'expiresAt') return format.moment(String(value))
  if (typeof value === 'number') return format.number(value)
  return Array.isArray(value) ? some(value.map(String), t) : marked(String(value))
}

/** Returns the name of a field: its kind's own, or the shared one, or its name in the API. */
const fieldName = (kinds: RuleKinds, kind: string, field: string, say: RuleSay): string => {
  const own = kinds[kind]?.fields[field]
  return own ? say.text(own) : (wordsOf(`field.${field}`, say) ?? marked(field))
}

const isDeep = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Counts added, removed and changed entries: entries with the same id are the same entry. */
function listChange(was: unknown[], is: unknown[], t: Say<'rules'>): string {
  const fresh = (list: unknown[], other: unknown[]) => {
    const known = new Set(other.map((one) => JSON.stringify(one)))
    return list.filter((one) => !known.has(JSON.stringify(one)))
  }
  const [came, went] = [fresh(is, was), fresh(was, is)]
  const idOf = (one: unknown) => (isDeep(one) ? (one as { id?: unknown }).id : undefined)
  const ids = new Set(went.map(idOf))
  const changed = came.filter((one) => idOf(one) !== undefined && ids.has(idOf(one))).length
  const counts = { added: came.length - changed, changed, removed: went.length - changed }
  return (['added', 'changed', 'removed'] as const)
    .flatMap((kind) => (counts[kind] > 0 ? [t(`count.${kind}`, { n: counts[kind] })] : []))
    .join(t('values.joined'))
}

function fieldChange(name: string, field: string, was: unknown, is: unknown, say: RuleSay): string {
  const { t } = say
  const isList = Array.isArray(was) && Array.isArray(is)
  if (isList && (Math.max(was.length, is.length) > shownMax || [...was, ...is].some(isDeep))) {
    return `${name} ${listChange(was, is, t)}`
  }
  if (isDeep(was) || isDeep(is)) return t('change.deep', { field: name })
  return t('change.field', { field: name, before: valueWords(field, was, say), after: valueWords(field, is, say) })
}

/** Describes which fields changed, with their old and new values. */
export function fieldChanges(kinds: RuleKinds, kind: string, was: RuleFields, is: RuleFields, say: RuleSay): string {
  const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => !isSame(was[field], is[field]))
    .map((field) => {
      const shown = (value: unknown) => kinds[kind]?.shown?.(field, value, say) ?? value
      return fieldChange(fieldName(kinds, kind, field, say), field, shown(was[field]), shown(is[field]), say)
    })
  return changes.length > 0 ? changes.join(say.t('changes.joined')) : say.t('change.same')
}

/** Describes a change of a rule in one sentence: created, deleted, or which of its fields changed from what to what. */
export function changeWords(kinds: RuleKinds, kind: string, before: unknown, after: unknown, say: RuleSay): string {
  const { t, text } = say
  const known = kinds[kind]
  const named = { kind: known ? text(known.name) : kind }
  const sentence = (rule: unknown) => t('sentence', ruleWords(kinds, kind, fieldsOfRule(rule), say))
  if (!before) return t('change.added', { ...named, sentence: sentence(after) })
  if (!after) return t('change.removed', { ...named, sentence: sentence(before) })
  const [was, is] = [seenFields(before), seenFields(after)]
  const subject = plain(String(was.memo || was.urlRegex || textsOf(was.ips)[0] || textsOf(was.values)[0] || was.type))
  const told = fieldChanges(kinds, kind, was, is, say)
  return t('change.changed', { ...named, name: marked(subject), changes: told })
}
