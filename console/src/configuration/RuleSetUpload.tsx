/** Uploads a rule set, with its signature if it has one, and lists what nodes cannot evaluate in it. */
import {
  type RuleSetLeftOut,
  type RuleSetPlace,
  ruleSetBytesMax,
  ruleSets,
} from '@breakwater/contract/nodes/rule-sets.ts'
import { useState } from 'react'
import { reasonText, showFault } from '../kit/faults.tsx'
import { useChange } from '../platform/calls.ts'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { LeftOutList } from './RuleSetLeftOut.tsx'

/** File extensions of detached signatures. */
const isSignature = /\.(?:asc|sig|gpg)$/i

export function RuleSetUpload() {
  const t = usePhrases('configuration')
  const add = useChange(ruleSets.add, ruleSets.list)
  const [wrong, setWrong] = useState<{ field: string; reason: string }>()
  const [problems, setProblems] = useState<RuleSetPlace[]>([])
  const [leftOut, setLeftOut] = useState<RuleSetLeftOut[]>([])

  async function upload(files: File[]) {
    setProblems([])
    setLeftOut([])
    const signature = files.find(({ name }) => isSignature.test(name))
    const [file, more] = files.filter((one) => one !== signature)
    const known = !file || more ? 'oneArchive' : file.size > ruleSetBytesMax ? 'fileTooLarge' : undefined
    setWrong(known && { field: 'file', reason: known })
    if (known || !file) return
    try {
      const made = await add.mutateAsync({ body: signature ? { file, signature } : { file } })
      setProblems(made.problems)
      setLeftOut(made.leftOut)
      if (made.id > 0) toasts.done(t('ruleSet.added'))
    } catch (fault) {
      const field = fault instanceof Fault ? fault.fields[0] : undefined
      if (field) setWrong(field)
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
          multiple
          accept=".gz,.tgz,.zip,.asc,.sig,.gpg,application/gzip,application/zip,application/pgp-signature"
          className="sr-only"
          disabled={add.isPending}
          aria-describedby="rule-set-help rule-set-wrong"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            if (files.length > 0) void upload(files)
          }}
        />
      </label>
      <p id="rule-set-help" className="mt-1 text-ink-3 text-xs">
        {t('ruleSet.addHelp')}
      </p>
      <div role="status" className="mt-1 text-ink-2 text-xs">
        {leftOut.length > 0 && (
          <>
            <p>{t('ruleSet.addedLeftOut')}</p>
            <LeftOutList leftOut={leftOut} />
          </>
        )}
      </div>
      <div id="rule-set-wrong" role="alert" className="mt-1 text-bad text-xs">
        {wrong && <Wrong {...wrong} />}
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

function Wrong({ field, reason }: { field: string; reason: string }) {
  const t = usePhrases('configuration')
  const tKit = usePhrases('kit')
  const text = reasonText(reason, tKit) ?? reason
  return <p>{field === 'signature' ? t('ruleSet.signatureWrong', { reason: text }) : text}</p>
}
