/** The document: typed, read from a file, or drafted from the log; it can be saved as a file. */
import { apiShieldDocument } from '@breakwater/contract/firewall/api-shield.ts'
import { type ChangeEvent, useId, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { Button } from '../../kit/Button.tsx'
import { showFault } from '../../kit/faults.tsx'
import { CodeField } from '../../kit/fields/CodeField.tsx'
import { send } from '../../platform/browser.ts'
import { Fault } from '../../platform/fault.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'

/** Not checked as JSON here, as YAML is accepted too: the button that checks the document reports what is wrong. */
const unchecked = () => undefined

export function DocumentField({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const format = useFormat()
  const id = useId()
  const { setValue, watch } = useFormContext()
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const text = String(watch('document') ?? '')
  const put = (document: string) => setValue('document', document, { shouldDirty: true })

  async function readFile({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    target.value = ''
    if (!file) return
    put(await file.text())
    setSaid(t('shield.fileRead', { name: file.name }))
  }

  async function draft() {
    setBusy(true)
    try {
      const { document, requests, operations } = await send(apiShieldDocument.draft, { siteId })
      if (document !== '') put(document)
      const values = { requests: format.number(requests), operations: format.number(operations) }
      setSaid(t(document === '' ? 'shield.noDraft' : 'shield.drafted', values))
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault
      showFault(fault)
    } finally {
      setBusy(false)
    }
  }

  function saveFile() {
    const isJson = text.trimStart().startsWith('{')
    const url = URL.createObjectURL(new Blob([text]))
    const link = globalThis.document.createElement('a')
    link.href = url
    link.download = isJson ? 'openapi.json' : 'openapi.yaml'
    link.click()
    URL.revokeObjectURL(url)
  }

  return (
    <>
      <CodeField
        name="document"
        label={t('shield.document')}
        help={t('shield.documentHelp')}
        mode="yaml"
        check={unchecked}
        placeholder="openapi: 3.1.0"
      />
      <div className="settings-row">
        <span />
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <label
            htmlFor={id}
            className="inline-flex h-8 cursor-pointer items-center rounded-control border border-line px-3 font-medium hover:bg-sunken has-focus-visible:outline-2 pointer-coarse:h-11"
          >
            {t('shield.file')}
            <input id={id} type="file" accept=".json,.yaml,.yml" className="sr-only" onChange={readFile} />
          </label>
          <Button busy={busy} onClick={draft}>
            {t('shield.draft')}
          </Button>
          {text !== '' && <Button onClick={saveFile}>{t('shield.saveFile')}</Button>}
          <span role="status" className="text-ink-2 text-xs">
            {said}
          </span>
        </div>
      </div>
    </>
  )
}
