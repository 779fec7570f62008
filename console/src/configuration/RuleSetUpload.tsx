/** Uploads a rule set, and says what of it nodes cannot ask. */
import { type RuleSetPlace, ruleSetBytesMax, ruleSets } from '@breakwater/contract/nodes/rule-sets.ts'
import { useState } from 'react'
import { reasonText, showFault } from '../kit/faults.tsx'
import { useChange } from '../platform/calls.ts'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

export function RuleSetUpload() {
  const t = usePhrases('configuration')
  const tKit = usePhrases('kit')
  const add = useChange(ruleSets.add, ruleSets.list)
  const [reason, setReason] = useState<string>()
  const [problems, setProblems] = useState<RuleSetPlace[]>([])

  async function upload(file: File) {
    setProblems([])
    setReason(file.size > ruleSetBytesMax ? 'fileTooLarge' : undefined)
    if (file.size > ruleSetBytesMax) return
    try {
      const made = await add.mutateAsync({ body: { file } })
      setProblems(made.problems)
      if (made.id > 0) toasts.done(t('ruleSet.added'))
    } catch (fault) {
      const field = fault instanceof Fault ? fault.fields[0] : undefined
      if (field) setReason(field.reason)
      else await showFault(fault)
    }
  }

  return (
    <div className="mb-3">
      <label
        htmlFor="rule-set-file"
        className="inline-flex h-8 cursor-pointer items-center rounded-control border border-line px-3 font-medium hover:bg-sunken has-focus-visible:outline-2 pointer-coarse:h-11"
      >
        {t(add.isPending ? 'ruleSet.reading' : 'ruleSet.add')}
        <input
          id="rule-set-file"
          type="file"
          accept=".gz,.tgz,.zip,application/gzip,application/zip"
          className="sr-only"
          disabled={add.isPending}
          aria-describedby="rule-set-wrong"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) void upload(file)
          }}
        />
      </label>
      <div id="rule-set-wrong" role="alert" className="mt-1 text-bad text-xs">
        {reason && <p>{reasonText(reason, tKit)}</p>}
        {problems.length > 0 && (
          <>
            <p>{t('ruleSet.refused')}</p>
            <ul>
              {problems.map(({ file, line, reason: why }) => (
                <li key={`${file}:${line}`} className="mono break-all">
                  {file === '' ? why : `${file}:${line}: ${why}`}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
