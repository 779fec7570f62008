/**
 * What was typed and not saved, put back where it was typed for the same account: what a session's end interrupted is kept
 * in this tab, and forms that are a step of a longer way are kept in this browser. Secrets are not among it: a form leaves
 * out what its password fields hold.
 */
import { account } from '@breakwater/contract/account/self.ts'
import { z } from 'zod'
import { queryClient, queryOf } from './calls.ts'

const storageKey = 'breakwater.drafts'
const Drafts = z.object({ account: z.number(), forms: z.record(z.string(), z.record(z.string(), z.unknown())) })
type Values = Record<string, unknown>

/** A form that is open: where it stands, and what is typed in it and not saved. From then on leaving it asks nothing. */
type OpenForm = { place: string; release: () => Values | undefined }
const open = new Set<OpenForm>()

/** Where a form is: the page's address and the names of its fields, so that two forms of a page are told apart. */
export const placeOf = (names: readonly string[]): string =>
  `${location.pathname}${location.search} ${[...names].sort().join()}`

/** Announces a form while it is open. */
export function watchForm(form: OpenForm): () => void {
  open.add(form)
  return () => open.delete(form)
}

/** Whose pages this tab shows. */
export const accountNow = (): number | undefined => queryClient.getQueryData(queryOf(account.self, {}).queryKey)?.id

/** Keeps what is typed in all open forms. Called while it is still known who is signed in. */
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

/** What was typed at a place before, if anything. It stays until it is dropped. */
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

/** Keeps what is typed in one form beyond its tab. */
export function keepBeyondTab(place: string, values: Values): void {
  const id = accountNow()
  if (id === undefined) return
  const forms = { ...read(localStorage)?.forms, [place]: values }
  localStorage.setItem(storageKey, JSON.stringify({ account: id, forms }))
}
