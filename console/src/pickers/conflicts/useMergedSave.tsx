/** Saving what was opened: a change that somebody made meanwhile is merged, or shown where both touch the same fields. */
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
  /** What a form holds of a state. */
  fieldsOf: (state: State) => Fields
  /** Saves fields that were made from `base`; the server refuses them where it is another by now. */
  write: (fields: Fields, base?: State) => Promise<unknown>
  /** What is saved now; nothing where it is gone. */
  readNow: () => Promise<State | undefined>
  /** What changed from one to the other, as `Marked` shows it. */
  words: (was: Fields, is: Fields, say: RuleSay) => string
}

/** What is saved then; `kept` says so where nothing of one's own is in it. */
export type Merged = { fields: Fields; kept?: string }

const ConflictDialog = lazy(() => import('./ConflictDialog.tsx').then((file) => ({ default: file.ConflictDialog })))

const isConflict = (error: unknown): error is Fault =>
  error instanceof Fault && error.fields.some(({ reason }) => reason === 'changedMeanwhile')

/** `dialog` stands beside the form: in it one chooses where both changed the same, while the save waits. */
export function useMergedSave<State>({ what, fieldsOf, write, readNow, words }: Options<State>) {
  const format = useFormat()
  const { locale } = useLocale()
  const [conflict, setConflict] = useState<Conflict>()

  /** `base` is the state that the fields were made from; nothing for what is new. */
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
