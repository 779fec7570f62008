/** The origins of a domain: weight, backup, on and off; a new one is probed while it is typed. */
import { domains, UpstreamInput, type UpstreamSeen } from '@breakwater/contract/domains/domains.ts'
import { Trash2 } from 'lucide-react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { Select } from '../kit/Select.tsx'
import { Switch } from '../kit/Toggle.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { fieldWords } from './conflicts/field-words.ts'
import { useMergedSave } from './conflicts/useMergedSave.tsx'
import { OriginField } from './OriginField.tsx'
import { OriginEvents, OriginStates } from './OriginStates.tsx'
import { formatOrigin, parseOrigin } from './origin-address.ts'

type Props = { siteId: number; domainId: number; readOnly: boolean }

const originsMax = 50
/** Nodes report on origins every five seconds. */
const healthMs = 5000
const weights = [1, 2, 3, 5, 10, 20, 50, 100]

export function UpstreamEditor({ siteId, domainId, readOnly }: Props) {
  const of = { siteId, domainId }
  const call = useCall(domains.upstreams, allOf(of), { everyMs: healthMs })
  if (call.isError && !call.data) return <Failed fault={call.error} retry={() => call.refetch()} />
  return (
    <>
      <ul className="mb-3 divide-y divide-line rounded-panel border border-line">
        {call.data?.data.map((upstream) => (
          <Origin key={upstream.id} of={of} upstream={upstream} readOnly={readOnly} isLast={call.data.total === 1} />
        ))}
      </ul>
      <OriginEvents siteId={siteId} domainId={domainId} />
      {!readOnly && (call.data?.total ?? 0) < originsMax && <AddOrigin key={call.data?.total} of={of} />}
    </>
  )
}

type Of = { siteId: number; domainId: number }
const allOf = (of: Of) => ({ ...of, query: { page: 1, pageSize: originsMax } })

function Origin({
  of,
  upstream,
  readOnly,
  isLast,
}: {
  of: Of
  upstream: UpstreamSeen
  readOnly: boolean
  isLast: boolean
}) {
  const t = usePhrases('domains')
  const update = useChange(domains.updateUpstream, domains.upstreams, domains.list)
  const remove = useChange(domains.removeUpstreams, domains.upstreams, domains.list)
  const name = formatOrigin(upstream)
  const labels = { weight: t('origin.weight'), backup: t('origin.backup'), enabled: t('origin.enabled') }
  const { save, dialog } = useMergedSave<UpstreamSeen>({
    what: 'conflict.settings',
    fieldsOf: ({ health: _, ...saved }) => saved,
    write: (fields, basedOn) => {
      const { health: _, ...seen } = basedOn ?? upstream
      return update.mutateAsync({ ...of, body: { ...(fields as typeof seen), basedOn: seen } })
    },
    readNow: async () => (await send(domains.upstreams, allOf(of))).data.find(({ id }) => id === upstream.id),
    words: fieldWords(new Map(Object.entries(labels))),
  })
  const change = (patch: Partial<UpstreamInput>) => {
    const { health: _, ...seen } = upstream
    save({ ...seen, ...patch }, upstream).then(({ kept }) => toasts.done(kept ?? t('origin.saved')), showFault)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 pr-1.5 pl-3">
      {/* On a phone: the name and the remove button in the first line, the settings below. */}
      <code className="mono min-w-0 flex-1 basis-32 break-all max-sm:basis-[calc(100%-64px)]">{name}</code>
      <Select
        label={t('origin.weight')}
        named
        value={upstream.weight}
        disabled={readOnly || update.isPending}
        onChange={(weight) => change({ weight })}
        options={[...new Set([...weights, upstream.weight])]
          .sort((a, b) => a - b)
          .map((value) => ({ value, label: String(value) }))}
        className="h-[26px] text-xs max-sm:order-2"
      />
      <span className="flex items-center gap-1.5 text-xs max-sm:order-2">
        <Switch
          aria-label={`${t('origin.backup')} ${name}`}
          checked={upstream.backup}
          disabled={readOnly || update.isPending}
          onCheckedChange={(backup) => change({ backup })}
        />
        <span aria-hidden>{t('origin.backup')}</span>
      </span>
      <span className="flex items-center gap-1.5 text-xs max-sm:order-2">
        <Switch
          aria-label={`${t('origin.enabled')} ${name}`}
          checked={upstream.enabled}
          disabled={readOnly || update.isPending}
          onCheckedChange={(enabled) => change({ enabled })}
        />
        <span aria-hidden>{t('origin.enabled')}</span>
      </span>
      {!readOnly && (
        <ConfirmButton
          size="iconSm"
          look="ghost"
          disabled={isLast}
          label={<Trash2 size={14} aria-hidden />}
          ariaLabel={t('origin.remove', { origin: name })}
          title={t('origin.remove', { origin: name })}
          consequence={t('origin.removeText')}
          confirmLabel={t('origin.remove', { origin: '' }).trim()}
          onConfirm={async () => {
            await remove.mutateAsync({ ...of, body: { ids: [upstream.id] } })
            toasts.done(t('removed'))
          }}
        />
      )}
      <OriginStates health={upstream.health} />
      {dialog}
    </li>
  )
}

const schema = z.object({
  origin: z
    .string()
    .min(1, 'required')
    .refine((text) => parseOrigin(text) !== undefined, 'wrongFormat'),
})

function AddOrigin({ of }: { of: Of }) {
  const t = usePhrases('domains')
  const add = useChange(domains.addUpstreams, domains.upstreams, domains.list)
  const form = useResourceForm(schema, {
    values: { origin: '' },
    save: ({ origin }) => add.mutateAsync({ ...of, body: { upstreams: [UpstreamInput.parse(parseOrigin(origin))] } }),
    done: t('origin.saved'),
    fieldOf: (field) => (field.includes('upstreams') ? 'origin' : field),
  })
  return (
    <Form form={form}>
      <OriginField name="origin" siteId={of.siteId} />
      <Button type="submit" busy={form.busy}>
        {t('origin.add')}
      </Button>
    </Form>
  )
}
