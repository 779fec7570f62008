/** Describes an audit entry in words: what was done, to what, and what happened to each field. */

import { actionText, sayIfKnown } from '../pickers/action-text.ts'
import { type Locale, locales } from '../platform/locale.ts'
import type { Say } from '../platform/phrases.ts'

type Values = Record<string, unknown>
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was done, and which state was set if the action can set several. */
export function doneText({ action, detail }: { action: string; detail: unknown }, t: Say<'audit'>): string {
  const set = isObject(detail) && isObject(detail.after) ? detail.after : detail
  const known = isObject(set) ? sayIfKnown(t, `act.${action}.${String(set.status)}`) : undefined
  return known ?? actionText(action, t)
}

/** The site's name, or its number if the name is unknown. */
export const siteText = ({ siteID, siteName }: Site, t: Say<'audit'>): string =>
  siteID === null ? '' : (siteName ?? `${t('site')} ${siteID}`)

type Site = { siteID: number | null; siteName: string | null }

/** What the action was done to: a name if the entry has one, else the site if there is one. */
export function objectOf(detail: unknown, site: Site | null, t: Say<'audit'>): string {
  if (isObject(detail)) {
    const { account, siteName, name, before, after } = detail
    const parts = [
      account,
      siteName,
      name,
      isObject(after) && after.account,
      isObject(after) && after.name,
      isObject(before) && before.name,
    ]
    const named = parts.find((one) => typeof one === 'string' && one !== '')
    if (typeof named === 'string') return named
  }
  return site ? siteText(site, t) : ''
}

const shownMax = 12

function valueText(value: unknown, t: Say<'audit'>): string {
  if (value === null || value === undefined || value === '') return t('nothing')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (Array.isArray(value)) {
    if (value.length === 0) return t('nothing')
    const rest = value.length - shownMax
    const shown = value.slice(0, shownMax).map((one) => valueText(one, t))
    return [...shown, ...(rest > 0 ? [t('more', { n: rest })] : [])].join(', ')
  }
  if (isObject(value)) {
    // A header.
    if (typeof value.key === 'string' && 'value' in value) return `${value.key}: ${valueText(value.value, t)}`
    const name = value.name ?? value.account ?? value.siteName
    return typeof name === 'string' ? name : JSON.stringify(value)
  }
  return String(value)
}

/** Translates codes and numbers of the API into words, such as the state of an account. */
function wordOf(field: string, value: unknown, t: Say<'audit'>): string {
  if (field === 'locale' && typeof value === 'string' && value in locales) return locales[value as Locale]
  const key = field === 'status' ? `state.${String(value)}` : `value.${field}.${String(value)}`
  return sayIfKnown(t, key) ?? valueText(value, t)
}

const fieldText = (field: string, t: Say<'audit'>): string => sayIfKnown(t, `field.${field}`) ?? field
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Sentences about what changed: from before and after if both are present, otherwise from what was set. */
export function changesOf(detail: unknown, t: Say<'audit'>): string[] {
  if (!isObject(detail)) return []
  const { before, after, id: _, account, ...others } = detail
  // In a change, the account only says whose object it is, which is shown above.
  const rest = before === undefined && after === undefined ? { account, ...others } : others
  const [old, fresh] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  const lines: string[] = []
  for (const field of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    const name = fieldText(field, t)
    const words = (value: unknown) => wordOf(field, value, t)
    const [was, is] = [old[field], fresh[field]]
    // A field that was not sent was not changed. If there is no after at all, the whole object was deleted.
    if (is === undefined && isObject(after)) continue
    if (isSame(was, is)) continue
    if (!isObject(before)) lines.push(t('set', { field: name, after: words(is) }))
    else if (!isObject(after)) lines.push(t('unset', { field: name, before: words(was) }))
    else lines.push(t('changed', { field: name, before: words(was), after: words(is) }))
  }
  for (const [field, value] of Object.entries(rest)) {
    // An empty value was not set to anything.
    if (valueText(value, t) === t('nothing')) continue
    lines.push(t('told', { field: fieldText(field, t), value: wordOf(field, value, t) }))
  }
  return lines
}

type Part = { path: string; kind: 'added' | 'removed' | 'changed'; before?: unknown; after?: unknown }

/** What changed in a site, if the entry lists it part by part. */
export function partsOf(detail: unknown): Part[] | undefined {
  if (!isObject(detail) || !Array.isArray(detail.changes) || detail.changes.length === 0) return undefined
  const parts = detail.changes.filter((part) => isObject(part) && typeof part.path === 'string')
  return parts.length === detail.changes.length ? (parts as unknown as Part[]) : undefined
}
