/** Adds many domains: pasted names, names with origins, or an exported CSV file. */
import { DomainPattern } from '@breakwater/contract/domain-name.ts'
import { originOf, readDomains } from '@breakwater/contract/domains/domain-csv.ts'
import { DomainInput, domains, UpstreamInput } from '@breakwater/contract/domains/domains.ts'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { reasonText } from '../kit/faults.tsx'
import { afterPress } from '../kit/fields/after-press.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

/** The most domains in one call. */
const domainsMax = 1000
/** How many wrong lines are listed; the rest is counted. */
const shownMax = 8

/**
 * Reads the domains of a text, gives those without an origin the common one, and reports what is wrong with each line.
 */
function read(text: string, origin: string) {
  const fallback = origin.trim() === '' ? [] : [originOf(origin.trim())]
  const found = readDomains(text).map((domain) => ({
    ...domain,
    upstreams: domain.upstreams.length > 0 ? domain.upstreams : fallback,
  }))
  const parsed = found.map((domain) =>
    // Without an origin there is nothing to serve yet.
    DomainInput.safeParse(domain.upstreams.length > 0 ? domain : { ...domain, status: 0 }),
  )
  const wrong = parsed.flatMap(({ error }, at) =>
    error ? [{ line: at + 1, name: found[at]!.name, reason: error.issues[0]!.message }] : [],
  )
  return { count: found.length, bodies: parsed.flatMap(({ data }) => data ?? []), wrong }
}

const schema = z
  .object({ text: z.string().min(1, 'required'), origin: z.string() })
  .refine(({ origin }) => origin.trim() === '' || UpstreamInput.safeParse(originOf(origin.trim())).success, {
    path: ['origin'],
    message: 'wrongFormat',
  })
  .refine(({ text, origin }) => read(text, origin).wrong.length === 0, { path: ['text'], message: 'wrongFormat' })
  .refine(({ text, origin }) => read(text, origin).count <= domainsMax, { path: ['text'], message: 'itemsExceedLimit' })
const Field = fieldsOf(z.object({ text: z.string(), origin: z.string(), name: DomainPattern }))

export function ManyDomainsForm({ siteId, onClose }: { siteId: number; onClose: () => void }) {
  const t = usePhrases('domains')
  const adding = useChange(domains.create, domains.list)
  const form = useResourceForm(schema, {
    values: { text: '', origin: '' },
    save: ({ text, origin }) => adding.mutateAsync({ siteId, body: { domains: read(text, origin).bodies } }),
    done: t('added'),
    onSaved: onClose,
    fieldOf: (field) => (field.includes('upstreams') ? 'origin' : 'text'),
  })
  return (
    <FormDrawer form={form} title={t('many.title')} onClose={onClose} saveLabel={t('many.add')}>
      <p className="mb-3 text-ink-2">{t('many.help')}</p>
      <DomainsText />
      <Field.Text
        name="origin"
        label={t('many.origin')}
        help={t('many.origin.help')}
        placeholder="https://203.0.113.7:8443"
        mono
      />
    </FormDrawer>
  )
}

function DomainsText() {
  const t = usePhrases('domains')
  const tKit = usePhrases('kit')
  const { setValue, register, formState } = useFormContext()
  const [text, origin] = useWatch({ name: ['text', 'origin'] }) as [string, string]
  const [isLeft, setLeft] = useState(false)
  const { count, wrong } = read(text, origin)
  const isEmpty = formState.errors.text?.message === 'required'
  async function take(file: File | undefined) {
    if (file) setValue('text', await file.text(), { shouldDirty: true, shouldValidate: true })
    setLeft(true)
  }
  return (
    <div className="mb-4">
      <div className="mb-1 flex items-center justify-between gap-3">
        <label htmlFor="many-domains" className="font-medium">
          {t('many.text')}
        </label>
        <label className="cursor-pointer text-accent text-xs hover:underline has-focus-visible:outline-2">
          {t('many.file')}
          <input
            type="file"
            accept=".csv,text/csv,text/plain"
            className="sr-only"
            onChange={(event) => void take(event.target.files?.[0])}
          />
        </label>
      </div>
      <textarea
        id="many-domains"
        rows={10}
        spellCheck={false}
        placeholder={'www.example.com\nshop.example.com, https://203.0.113.7:8443'}
        aria-invalid={isEmpty || (isLeft && wrong.length > 0)}
        className="mono w-full rounded-control border border-line bg-surface px-2.5 py-2 aria-invalid:border-bad"
        {...register('text', { onBlur: () => afterPress(() => setLeft(true)) })}
      />
      <p className="text-ink-3 text-xs">{t('many.count', { n: count })}</p>
      {isEmpty && (
        <p role="alert" className="text-bad text-xs">
          {reasonText('required', tKit)}
        </p>
      )}
      {isLeft && wrong.length > 0 && (
        <div role="alert" className="mt-1 text-bad text-xs">
          <p>{t('many.bad', { n: wrong.length })}</p>
          {wrong.slice(0, shownMax).map(({ line, name, reason }) => (
            <p key={line}>{t('many.line', { line, name, reason: reasonText(reason, tKit) ?? reason })}</p>
          ))}
        </div>
      )}
    </div>
  )
}
