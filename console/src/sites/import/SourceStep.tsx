/** The platform that sites come from, and their configuration: pasted, or as a file. */
import {
  type ImportDraft,
  type ImportKind,
  importBytesMax,
  importKinds,
  siteImport,
} from '@breakwater/contract/import/site-import.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { reasonText, showFault } from '../../kit/faults.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { Segments } from '../../kit/Toggle.tsx'
import { useChange } from '../../platform/calls.ts'
import { Fault } from '../../platform/fault.ts'
import { usePhrases } from '../../platform/phrases.ts'

const endings: Record<ImportKind, string> = {
  nginx: '.conf,.txt,text/plain',
  cloudflare: '.txt,.zone,text/plain',
  nginxProxyManager: '.sqlite,.sqlite3,.db',
  csv: '.csv,text/csv,text/plain',
}
const examples: Record<ImportKind, string> = {
  nginx: 'server {\n  server_name www.example.com;\n  location / { proxy_pass http://203.0.113.7:8080; }\n}',
  cloudflare: 'www.example.com.\t1\tIN\tA\t203.0.113.7 ; cf_tags=cf-proxied:true',
  nginxProxyManager: '',
  csv: 'site,name,origins\nShop,www.example.com,https://203.0.113.7:8443',
}

export type Source = { kind: ImportKind; text: string }
type Props = { source: Source; setSource: (source: Source) => void; onDraft: (draft: ImportDraft) => void }

export function SourceStep({ source: { kind, text }, setSource, onDraft }: Props) {
  const t = usePhrases('import')
  const tKit = usePhrases('kit')
  const [file, setFile] = useState<File>()
  const [rules, setRules] = useState<File>()
  const [wrong, setWrong] = useState<{ field: string; reason: string }>()
  const drafting = useChange(siteImport.draft)
  const hasText = kind !== 'nginxProxyManager'
  const wrongAt = (field: string) => (wrong?.field === field ? wrong.reason : undefined)

  async function read(event: FormEvent) {
    event.preventDefault()
    const pasted = hasText && !file && text.trim() !== '' ? new File([text], 'pasted.txt') : undefined
    const source = file ?? pasted
    const given = kind === 'cloudflare' ? rules : undefined
    if (!source && !given) return setWrong({ field: 'file', reason: 'required' })
    if ((source?.size ?? 0) > importBytesMax) return setWrong({ field: 'file', reason: 'fileTooLarge' })
    setWrong(undefined)
    try {
      onDraft(
        await drafting.mutateAsync({ body: { kind, ...(source && { file: source }), ...(given && { rules: given }) } }),
      )
    } catch (fault) {
      const field = fault instanceof Fault ? fault.fields[0] : undefined
      if (field) setWrong(field)
      else await showFault(fault)
    }
  }

  return (
    <Panel>
      <form onSubmit={read} noValidate>
        <p className="mb-1 font-medium">{t('from')}</p>
        <Segments
          label={t('from')}
          value={kind}
          onChange={(next) => {
            setSource({ kind: next, text })
            setFile(undefined)
            setRules(undefined)
            setWrong(undefined)
          }}
          options={importKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          className="mb-2 max-w-full flex-wrap"
        />
        <p className="mb-3 max-w-[760px] text-ink-2">{t(`kind.${kind}.help`)}</p>
        {hasText && (
          <>
            <label htmlFor="import-text" className="mb-1 block font-medium">
              {t('paste')}
            </label>
            <textarea
              id="import-text"
              rows={12}
              spellCheck={false}
              value={text}
              placeholder={examples[kind]}
              disabled={file !== undefined}
              aria-invalid={wrongAt('file') !== undefined}
              aria-describedby="import-wrong"
              onChange={(event) => setSource({ kind, text: event.target.value })}
              className="mono mb-2 w-full rounded-control border border-line bg-surface px-2.5 py-2 aria-invalid:border-bad disabled:opacity-60"
            />
          </>
        )}
        <FileField
          key={kind}
          id="import-file"
          label={hasText ? t('orFile') : t('file')}
          accept={endings[kind]}
          file={file}
          onFile={setFile}
        />
        <p id="import-wrong" role="alert" className="text-bad text-xs">
          {reasonText(wrongAt('file'), tKit)}
        </p>
        {kind === 'cloudflare' && (
          <>
            <FileField
              id="import-rules"
              label={t('rules')}
              accept=".json,application/json"
              file={rules}
              onFile={setRules}
            />
            <p role="alert" className="text-bad text-xs">
              {reasonText(wrongAt('rules'), tKit)}
            </p>
          </>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button look="solid" type="submit" busy={drafting.isPending}>
            {t('read')}
          </Button>
          <p className="text-ink-3 text-xs">{t('read.help')}</p>
        </div>
      </form>
    </Panel>
  )
}

type FileProps = {
  id: string
  label: string
  accept: string
  file: File | undefined
  onFile: (file: File | undefined) => void
}

function FileField({ id, label, accept, file, onFile }: FileProps) {
  const t = usePhrases('import')
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <label
        htmlFor={id}
        className="inline-flex h-8 cursor-pointer items-center rounded-control border border-line px-3 font-medium hover:bg-sunken has-focus-visible:outline-2 pointer-coarse:h-11"
      >
        {label}
        <input
          id={id}
          type="file"
          accept={accept}
          className="sr-only"
          onChange={(event) => {
            onFile(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </label>
      {file && (
        <span className="flex min-w-0 items-center gap-2">
          <span className="mono truncate">{file.name}</span>
          <Button size="sm" look="ghost" onClick={() => onFile(undefined)}>
            {t('file.remove')}
          </Button>
        </span>
      )}
    </div>
  )
}
