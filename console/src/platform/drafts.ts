/**
 * Unsaved input, restored at the same place for the same account: what the end of a session interrupted is stored in
 * this tab, and forms that are steps of a longer process are stored in this browser. Secrets are not included: a form
 * leaves out its password fields.
 */
import { account } from '@breakwater/contract/account/self.ts'
import { z } from 'zod'
import { queryClient, queryOf } from './calls.ts'

const storageKey = 'breakwater.drafts'
const Drafts = z.object({ account: z.number(), forms: z.record(z.string(), z.record(z.string(), z.unknown())) })
type Values = Record<string, unknown>

/**
 * An open form: its place, and a function that returns its unsaved input. After `release`, leaving the form needs no
 * confirmation.
 */
type OpenForm = { place: string; release: () => Values | undefined }
const open = new Set<OpenForm>()

/** The place of a form: the page's URL and the names of its fields, which distinguish two forms on a page. */
export const placeOf = (names: readonly string[]): string =>
  `${location.pathname}${location.search} ${[...names].sort().join()}`

/** Registers a form while it is open. */
export function watchForm(form: OpenForm): () => void {
  open.add(form)
  return () => open.delete(form)
}

/** The account whose pages this tab shows. */
export const accountNow = (): number | undefined => queryClient.getQueryData(queryOf(account.self, {}).queryKey)?.id

/** Stores the unsaved input of all open forms. Must be called while the account is still known. */
export function keepDrafts(): void {
  const id = accountNow()
  const typed = [...open].flatMap(({ place, release }) => {
    const values = release()
    return values ? [[place, values] as const] : []
  })
  if (id === undefined || typed.length === 0) return
  sessionStorage.setItem(storageKey, JSON.stringify({ account: id, forms: Object.fromEntries(typed) }))
}

function read(from: Storage): z.output<typeof Drafts> | undefined {
  const text = from.getItem(storageKey)
  if (text === null) return undefined
  const { data } = Drafts.safeParse(JSON.parse(text))
  return data?.account === accountNow() ? data : undefined
}

/** Returns the stored input of a place, if there is any. It stays until it is dropped. */
export const draftAt = (place: string): Values | undefined =>
  read(sessionStorage)?.forms[place] ?? read(localStorage)?.forms[place]

export function dropDraft(place: string): void {
  for (const storage of [sessionStorage, localStorage]) {
    const drafts = read(storage)
    if (!drafts?.forms[place]) continue
    delete drafts.forms[place]
    storage.setItem(storageKey, JSON.stringify(drafts))
  }
}

/** Stores the input of one form beyond its tab. */
export function keepBeyondTab(place: string, values: Values): void {
  const id = accountNow()
  if (id === undefined) return
  const forms = { ...read(localStorage)?.forms, [place]: values }
  localStorage.setItem(storageKey, JSON.stringify({ account: id, forms }))
}
