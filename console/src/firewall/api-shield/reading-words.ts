/** Describes what was read from a document, in the user's language. */
import type { ShieldReading } from '@breakwater/contract/firewall/api-shield.ts'
import type { TrialAnswer } from '../../pickers/settings/Trial.tsx'
import { usePhrases } from '../../platform/phrases.ts'

/** How many operations are listed; a document may have hundreds. */
const namedMax = 100

export function useReadingWords() {
  const t = usePhrases('firewall')
  const tKit = usePhrases('kit')
  return ({ problem, operations, notes }: ShieldReading): TrialAnswer => {
    if (problem) {
      const text = t('shield.refused', { reason: tKit(`reason.openApi.${problem.reason}`) })
      return { text, words: problem.where, isRefused: true }
    }
    const text =
      notes.length === 0
        ? t('shield.read', { n: operations.length })
        : t('shield.readWithNotes', { n: operations.length, notes: notes.length })
    const named = operations.slice(0, namedMax).map(({ id, method, path }) => `${id}  ${method} ${path}`)
    const left = notes.map(({ reason, where }) => `${t(`shield.note.${reason}`)}  ${where}`)
    return { text, words: [...left, ...named].join('\n') }
  }
}
