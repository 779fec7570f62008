/** Uploads address data with its source, and lists what is wrong with it. */
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { type AddressDataProblem, addressData, addressDataBytesMax } from '@breakwater/contract/nodes/address-data.ts'
import { useId, useState } from 'react'
import { reasonText, showFault } from '../kit/faults.tsx'
import { Input } from '../kit/Input.tsx'
import { useChange } from '../platform/calls.ts'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

type Props = { kind: AddressDataKind; credit: string; licence: string }

export function AddressDataUpload({ kind, credit, licence }: Props) {
  const t = usePhrases('configuration')
  const tKit = usePhrases('kit')
  const id = useId()
  const add = useChange(addressData.add, addressData.list)
  const [said, setSaid] = useState({ source: '', credit, licence })
  const [wrong, setWrong] = useState<string>()
  const [problems, setProblems] = useState<AddressDataProblem[]>([])

  async function upload(files: File[]) {
    setProblems([])
    const [file, second, ...more] = files
    const isLong = files.some(({ size }) => size > addressDataBytesMax)
    const known = !file || more.length > 0 ? 'oneOrTwoFiles' : isLong ? 'fileTooLarge' : undefined
    setWrong(known)
    if (known || !file) return
    try {
      const made = await add.mutateAsync({ body: { kind, file, ...(second ? { second } : {}), ...said } })
      setProblems(made.problems)
      if (made.id === 0) return
      setSaid({ ...said, source: '' })
      toasts.done(t('addressData.added'))
    } catch (fault) {
      const field = fault instanceof Fault ? fault.fields[0] : undefined
      if (field) setWrong(field.reason)
      else await showFault(fault)
    }
  }

  const fields = [
    ['source', 100],
    ['credit', 200],
    ['licence', 200],
  ] as const
  return (
    <details className="rounded-control border border-line px-4 py-3">
      <summary className="cursor-pointer font-medium">{t('addressData.upload')}</summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-3">
        {fields.map(([name, most]) => (
          <div key={name}>
            <label htmlFor={`${id}-${name}`} className="mb-1.5 block">
              {t(`addressData.${name}`)}
            </label>
            <Input
              id={`${id}-${name}`}
              value={said[name]}
              maxLength={most}
              onChange={(event) => setSaid({ ...said, [name]: event.target.value })}
            />
          </div>
        ))}
      </div>
      <label
        htmlFor={`${id}-file`}
        className="mt-3 inline-flex h-8 cursor-pointer items-center rounded-control border border-line px-3 font-medium hover:bg-sunken has-focus-visible:outline-2 pointer-coarse:h-11"
      >
        {t(add.isPending ? 'ruleSet.reading' : `addressData.${kind}Add`)}
        <input
          id={`${id}-file`}
          type="file"
          multiple
          accept=".mmdb,.csv,.gz,text/csv,application/gzip"
          className="sr-only"
          disabled={add.isPending}
          aria-describedby={`${id}-help ${id}-wrong`}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            if (files.length > 0) void upload(files)
          }}
        />
      </label>
      <p id={`${id}-help`} className="mt-1 text-ink-3 text-xs">
        {t(`addressData.${kind}AddHelp`)}
      </p>
      <div id={`${id}-wrong`} role="alert" className="mt-1 text-bad text-xs">
        {wrong && <p>{reasonText(wrong, tKit) ?? wrong}</p>}
        {problems.length > 0 && (
          <>
            <p>{t('addressData.refused')}</p>
            <ul>
              {problems.map(({ file, line, reason }) => (
                <li key={`${file}:${line}`} className="mono break-all">
                  {`${file}${line > 0 ? `:${line}` : ''}: ${reason}`}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  )
}
