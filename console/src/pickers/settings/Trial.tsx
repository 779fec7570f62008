/** Tests settings before they are saved, and shows the result with the remote side's own message. */
import { useId, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { faultTextNow } from '../../kit/faults.tsx'
import { Input } from '../../kit/Input.tsx'
import { Fault } from '../../platform/fault.ts'
import { usePhrases } from '../../platform/phrases.ts'

/** The result, details below it, and whether it is a reason not to save. */
export type TrialAnswer = { text: string; words: string; isRefused?: boolean }

type Props = {
  label: string
  /** The label of an input beside the button, if there is one. */
  inputLabel?: string
  /** Validates the form; its fields show the errors. */
  check: () => Promise<boolean>
  /** Resolves with the result, and optionally details. */
  run: (input: string) => Promise<string | TrialAnswer>
}

export function Trial({ label, inputLabel, check, run }: Props) {
  const t = usePhrases('kit')
  const id = useId()
  const [input, setInput] = useState('')
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ ok: boolean; text: string; words?: string }>()
  async function ask() {
    setSaid(undefined)
    if (!(await check())) return
    setBusy(true)
    try {
      const answer = await run(input.trim())
      const { isRefused = false, ...told } = typeof answer === 'string' ? { text: answer } : answer
      setSaid({ ok: !isRefused, ...told })
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault
      const words = typeof fault.extra === 'string' ? fault.extra : await faultTextNow(fault)
      setSaid({ ok: false, text: t('settings.testFailed'), words })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="min-w-0 flex-1 basis-72">
      <div className="flex flex-wrap items-center gap-2">
        {inputLabel && (
          <>
            <label htmlFor={id} className="text-ink-2">
              {inputLabel}
            </label>
            <Input
              id={id}
              type="email"
              className="w-56 max-sm:w-0 max-sm:flex-1"
              value={input}
              onChange={(event) => setInput(event.target.value)}
            />
          </>
        )}
        <Button busy={busy} onClick={ask}>
          {label}
        </Button>
      </div>
      <div role="status" className={said?.ok ? 'text-ok' : 'text-bad'}>
        {said && <p className="mt-2">{said.text}</p>}
        {said?.words && <p className="mono mt-1 whitespace-pre-line break-words">{said.words}</p>}
      </div>
    </div>
  )
}
