/** A review before a change: what will change and how much it affects, then one of a few buttons to apply it. */
import { type ReactNode, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { showFault } from './faults.tsx'

export type Choice = {
  label: string
  act: () => Promise<unknown>
  look?: 'solid' | 'danger' | 'destroy' | 'line'
  disabled?: boolean
}

type Props = {
  title: string
  /** What it affects, in a sentence: how many rules, sites, requests. Stays visible while the changes scroll. */
  affected: ReactNode
  /** The changes: sentences or a `Diff`. */
  children: ReactNode
  /** The ways to proceed, the recommended one last. An error is shown, and the dialog stays open. */
  choices: readonly Choice[]
  onClose: () => void
  /** Whether it has fields of its own, which must not take the focus away from the text to read. */
  isRead?: boolean
}

export function ReviewDialog({ title, affected, children, choices, onClose, isRead = false }: Props) {
  const t = usePhrases('kit')
  const [busy, setBusy] = useState<string>()
  async function take({ label, act }: Choice) {
    setBusy(label)
    try {
      await act()
    } catch (fault) {
      await showFault(fault)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Dialog
      wide
      isRead={isRead}
      head={<div className="text-ink-2">{affected}</div>}
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          {choices.map((choice) => (
            <Button
              key={choice.label}
              look={choice.look ?? 'solid'}
              busy={busy === choice.label}
              disabled={busy !== undefined || choice.disabled === true}
              onClick={() => take(choice)}
            >
              {choice.label}
            </Button>
          ))}
        </>
      }
    >
      {children}
    </Dialog>
  )
}

const shownMax = 20

/** The objects that a bulk change affects, the first of them by name. */
export function ReviewList({ items }: { items: readonly { key: number | string; text: ReactNode }[] }) {
  const t = usePhrases('kit')
  return (
    <ul className="divide-y divide-line rounded-panel border border-line">
      {items.slice(0, shownMax).map(({ key, text }) => (
        <li key={key} className="px-3 py-1.5">
          {text}
        </li>
      ))}
      {items.length > shownMax && (
        <li className="px-3 py-1.5 text-ink-3">{t('review.more', { n: items.length - shownMax })}</li>
      )}
    </ul>
  )
}
