/** How one domain is reached: its certificate, forced HTTPS, plain HTTP or TLS only, and the ports of its origins. */
import { domainTls } from '@breakwater/contract/domains/domain-tls.ts'
import { type Domain, domains, schemes } from '@breakwater/contract/domains/domains.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Port } from '@breakwater/contract/fields.ts'
import { useRef } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Fact, Facts } from '../kit/Panel.tsx'
import { Switch } from '../kit/Toggle.tsx'
import { type ResourceForm, useResourceForm } from '../kit/useResourceForm.ts'
import { CertificateStatus } from '../pickers/CertificateStatus.tsx'
import { fieldWords } from '../pickers/conflicts/field-words.ts'
import type { Fields } from '../pickers/conflicts/merge.ts'
import { useMergedSave } from '../pickers/conflicts/useMergedSave.tsx'
import { send } from '../platform/browser.ts'
import { useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { ChallengeRecord } from './ChallengeRecord.tsx'

type Settings = Reply<typeof domains.settings>
type Props = { siteId: number; domain: Domain; settings: Settings }

export function HttpsSection({ siteId, domain, settings }: Props) {
  const t = usePhrases('certificates')
  const format = useFormat()
  const { certificate, certStatus, forceSSL, autoSSL } = settings
  const detail = certificate?.detail ?? ''
  const known = `order.${detail}`
  const said = (t as (name: string) => string)(known)
  return (
    <section className="mb-6">
      <h2 className="mb-2 font-semibold">{t('https')}</h2>
      <Facts className="mb-3">
        <Fact name={t('certificate')}>
          <CertificateStatus status={certStatus} />
          {certificate && certificate.id > 0 && (
            <span className="ml-2 text-ink-2">
              {certificate.name}, {t('until', { day: format.day(certificate.expired) })}
            </span>
          )}
        </Fact>
        {detail !== '' && (
          <Fact name={t('detail')}>
            <span className="text-bad">{said === known ? detail : said}</span>
          </Fact>
        )}
        <Toggles siteId={siteId} domain={domain} settings={settings} />
      </Facts>
      <ChallengeRecord settings={settings} />
      {forceSSL && certStatus !== 1 && certStatus !== 2 && certStatus !== 3 && (
        <p className="mb-3 text-ink-2">{t('force.waits')}</p>
      )}
      {autoSSL && domain.ownership.state === 'pending' && <p className="mb-3 text-ink-2">{t('order.notProven')}</p>}
      <SchemeForm siteId={siteId} domainId={domain.id} settings={settings} />
    </section>
  )
}

function Toggles({ siteId, domain, settings }: Props) {
  const t = usePhrases('certificates')
  const mayWrite = useMay()('domains.write')
  const force = useChange(domainTls.forceSSL, domains.settings, domains.list)
  const auto = useChange(domainTls.autoSSL, domains.settings, domains.list)
  const ids = [domain.id]
  // A wildcard can be proven over DNS only.
  const isUnprovable = domain.name.startsWith('*.') && settings.challengeRecord === null && !settings.autoSSL
  const told = { onError: showFault, onSuccess: () => toasts.done(t('saved')) }
  return (
    <>
      <Fact name={t('auto')}>
        <span className="inline-flex items-center gap-2 align-middle">
          <Switch
            aria-label={t('auto')}
            checked={settings.autoSSL}
            disabled={!mayWrite || auto.isPending || isUnprovable}
            onCheckedChange={(enable) => auto.mutate({ siteId, body: { ids, enable } }, told)}
          />
          <span className="text-ink-3 text-xs">{t('auto.help')}</span>
        </span>
      </Fact>
      <Fact name={t('force')}>
        <span className="inline-flex items-center gap-2 align-middle">
          <Switch
            aria-label={t('force')}
            checked={settings.forceSSL}
            disabled={!mayWrite || force.isPending}
            onCheckedChange={(forceSSL) => force.mutate({ siteId, body: { ids, forceSSL } }, told)}
          />
          <span className="text-ink-3 text-xs">{t('force.help')}</span>
        </span>
      </Fact>
    </>
  )
}

/** Empty keeps the origin's own port. */
const PortText = z
  .string()
  .trim()
  .refine((text) => text === '' || Port.safeParse(Number(text)).success, 'wrongFormat')
const Scheme = z.object({ scheme: z.number(), http: PortText, https: PortText })
const Field = fieldsOf(Scheme)

type Reached = Pick<Settings, 'scheme' | 'portMap'>
/** Converts the settings to form values, and back. */
const held = ({ scheme, portMap }: Reached): z.output<typeof Scheme> => ({
  scheme,
  http: String(portMap['80'] ?? ''),
  https: String(portMap['443'] ?? ''),
})
function reached(fields: Fields) {
  const { scheme, http, https } = fields as z.output<typeof Scheme>
  const portMap = { ...(http && { 80: Number(http) }), ...(https && { 443: Number(https) }) }
  return { scheme: scheme as 1 | 2 | 3, portMap }
}

function SchemeForm({ siteId, domainId, settings }: { siteId: number; domainId: number; settings: Settings }) {
  const t = usePhrases('certificates')
  const mayWrite = useMay()('domains.write')
  const update = useChange(domainTls.scheme, domains.settings, domains.list)
  const { scheme, portMap } = settings
  // The values that the form was filled with: the edits are based on them.
  const base = useRef<Reached>({ scheme, portMap })
  const merging = useMergedSave<Reached>({
    what: 'conflict.settings',
    fieldsOf: held,
    write: (fields, basedOn) => update.mutateAsync({ siteId, domainId, body: { ...reached(fields), basedOn } }),
    readNow: () => send(domains.settings, { siteId, query: { domainName: settings.name } }),
    words: (was, is, say) => fieldWords(form.labels)(was, is, say),
  })
  const form: ResourceForm = useResourceForm(Scheme, {
    values: held({ scheme, portMap }),
    save: (body) => merging.save(body, base.current),
    done: ({ kept }) => kept ?? t('saved'),
    stays: (_, { fields }) => {
      base.current = reached(fields)
      return held(base.current)
    },
  })
  return (
    <Form form={form}>
      <Field.Select
        name="scheme"
        label={t('scheme')}
        options={Object.entries(schemes).map(([name, value]) => ({ value, label: t(`scheme.${name as 'http'}`) }))}
      />
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Field.Text name="http" label={t('port.http')} help={t('port.help')} inputMode="text" />
        <Field.Text name="https" label={t('port.https')} inputMode="text" />
      </div>
      {merging.dialog}
      {mayWrite && (
        <Button type="submit" busy={form.busy}>
          {t('scheme.save')}
        </Button>
      )}
    </Form>
  )
}
