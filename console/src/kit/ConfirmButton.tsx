/** A button for an irreversible action: says what is lost, and in the worst cases requires its name to be typed. */
import { type ReactNode, useId, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { Button, type ButtonLook } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { showFault } from './faults.tsx'
import { Input } from './Input.tsx'

/** Actions without the danger look can be undone, and their confirm button is in ink. */
type Props = ButtonLook & {
  label: ReactNode
  title: string
  /** What is destroyed, in words. */
  consequence: ReactNode
  confirmLabel: string
  onConfirm: () => Promise<unknown>
  /** Text to type before it can be confirmed. */
  typed?: string
  disabled?: boolean
  ariaLabel?: string
  /** Whether the dialog is open initially, if the action was requested elsewhere. */
  startsOpen?: boolean
  onClose?: () => void
}

export function ConfirmButton({
  label,
  title,
  consequence,
  confirmLabel,
  onConfirm,
  typed,
  disabled,
  ariaLabel,
  startsOpen = false,
  onClose,
  ...look
}: Props) {
  const t = usePhrases('kit')
  const [open, setOpen] = useState(startsOpen)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const inputId = useId()
  function close() {
    setOpen(false)
    setText('')
    onClose?.()
  }
  async function confirm() {
    setBusy(true)
    try {
      await onConfirm()
      close()
    } catch (fault) {
      await showFault(fault)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        look="danger"
        {...look}
        disabled={disabled ?? false}
        onClick={() => setOpen(true)}
        {...(ariaLabel ? { 'aria-label': ariaLabel, title: ariaLabel } : {})}
      >
        {label}
      </Button>
      {open && (
        <Dialog
          title={title}
          onClose={close}
          footer={
            <>
              <Button onClick={close}>{t('cancel')}</Button>
              <Button
                look={look.look === 'line' ? 'solid' : 'danger'}
                busy={busy}
                disabled={typed !== undefined && text !== typed}
                onClick={confirm}
              >
                {confirmLabel}
              </Button>
            </>
          }
        >
          <div className="text-ink-2">{consequence}</div>
          {typed !== undefined && (
            <div className="mt-3">
              <label htmlFor={inputId} className="mb-1.5 block">
                {t('typeToConfirm', { text: typed })}
              </label>
              <Input id={inputId} value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
            </div>
          )}
        </Dialog>
      )}
    </>
  )
}
