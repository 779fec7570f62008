/** Saves an opened document: a concurrent change is merged, or shown if both touch the same fields. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { plain } from '../../kit/Marked.tsx'
import { Fault } from '../../platform/fault.ts'
import { useFormat } from '../../platform/format.ts'
import { useLocale } from '../../platform/locale.ts'
import { phrasesNow } from '../../platform/phrases.ts'
import type { RuleSay } from '../../platform/rule-kinds.ts'
import { toasts } from '../../platform/toasts.ts'
import { makeRuleSay } from '../sentences/rule-words.ts'
import type { Conflict } from './ConflictDialog.tsx'
import { type Fields, isSame, mergeFields } from './merge.ts'

type Options<State> = {
  /** What was changed: a rule, or settings. */
  what: 'conflict.title' | 'conflict.settings'
  /** Converts a state to form values. */
  fieldsOf: (state: State) => Fields
  /** Saves fields that are based on `base`; the server refuses them if the state has changed since. */
  write: (fields: Fields, base?: State) => Promise<unknown>
  /** Fetches the saved state; undefined if it was deleted. */
  readNow: () => Promise<State | undefined>
  /** Describes the changes from one to the other, to be rendered by `Marked`. */
  words: (was: Fields, is: Fields, say: RuleSay) => string
}

/** The fields that were saved; `kept` is the message if none of the user's own changes are among them. */
export type Merged = { fields: Fields; kept?: string }

const ConflictDialog = lazy(() => import('./ConflictDialog.tsx').then((file) => ({ default: file.ConflictDialog })))

const isConflict = (error: unknown): error is Fault =>
  error instanceof Fault && error.fields.some(({ reason }) => reason === 'changedMeanwhile')

/** Render `dialog` beside the form: it resolves conflicting changes while the save is pending. */
export function useMergedSave<State>({ what, fieldsOf, write, readNow, words }: Options<State>) {
  const format = useFormat()
  const { locale } = useLocale()
  const [conflict, setConflict] = useState<Conflict>()

  /** `base` is the state that the fields are based on; undefined for a new object. */
  async function save(mine: Fields, base: State | undefined): Promise<Merged> {
    try {
      await write(mine, base)
      return { fields: mine }
    } catch (error) {
      const now = base !== undefined && isConflict(error) ? await readNow() : undefined
      if (base === undefined || now === undefined) throw error
      return merge(fieldsOf(base), mine, now, error)
    }
  }

  async function merge(was: Fields, mine: Fields, now: State, refusal: unknown): Promise<Merged> {
    const theirs = fieldsOf(now)
    // Loaded with the first conflict: most saves have none.
    const t = await phrasesNow('rules')
    const say = makeRuleSay(t, format, locale)
    const { merged, clashes } = mergeFields(was, mine, theirs)
    if (clashes.length === 0) {
      await write(merged, now)
      toasts.info(t('conflict.merged', { changes: plain(words(was, theirs, say)) }))
      return { fields: merged }
    }
    const withTheirs = { ...merged, ...Object.fromEntries(clashes.map((field) => [field, theirs[field]])) }
    return new Promise((resolve, reject) => {
      const choose = (fields: Fields) => async () => {
        const hasMine = Object.keys(fields).some((field) => !isSame(fields[field], theirs[field]))
        if (hasMine) await write(fields, now)
        setConflict(undefined)
        resolve({ fields, ...(!hasMine && { kept: t('conflict.kept') }) })
      }
      setConflict({
        title: t(what),
        theirs: words(was, theirs, say),
        mine: words(was, mine, say),
        keepTheirs: choose(withTheirs),
        saveMine: choose(merged),
        onClose: () => {
          setConflict(undefined)
          reject(refusal)
        },
      })
    })
  }
  const dialog: ReactNode = conflict && (
    <Suspense>
      <ConflictDialog {...conflict} />
    </Suspense>
  )
  return { save, dialog }
}
