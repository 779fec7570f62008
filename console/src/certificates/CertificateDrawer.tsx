/** One certificate: its details, the domains that use it, and replacing it. */
import { type CertificateRow, CertificateUpdate, certificates } from '@breakwater/contract/certificates/certificates.ts'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Fact, Facts } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { TimeLeft } from './TimeLeft.tsx'

type Of = { siteId: number; certificate: CertificateRow }

export function CertificateDrawer({ onClose, ...of }: Of & { onClose: () => void }) {
  const t = usePhrases('certificates')
  const format = useFormat()
  const mayWrite = useMay()('domains.write')
  const { certificate } = of
  const isAutomatic = certificate.source === 'automatic'
  return (
    <Drawer title={certificate.name} onClose={onClose}>
      <Facts className="mb-6">
        <Fact name={t('left')}>
          <TimeLeft expired={certificate.expired} isAutomatic={isAutomatic} />
        </Fact>
        <Fact name={t('valid')}>
          {format.moment(certificate.startTime)} – {format.moment(certificate.expired)}
        </Fact>
        <Fact name={t('covers')}>
          <Tags values={certificate.names} />
        </Fact>
        <Fact name={t('issuer')}>{certificate.issuer}</Fact>
        <Fact name={t('algorithm')}>{t(`algorithm.${certificate.algorithm}`)}</Fact>
        <Fact name={t('fingerprint')}>
          <CopyText text={certificate.fingerprint} />
        </Fact>
      </Facts>
      {isAutomatic ? (
        <>
          <h2 className="mb-2 font-semibold">{t('usedBy')}</h2>
          <p className="mb-2 text-ink-2">{t('automatic.text')}</p>
          <Tags values={certificate.domains} />
        </>
      ) : (
        <>
          <h2 className="mb-2 font-semibold">{t('usedBy')}</h2>
          <Assignment {...of} />
          {mayWrite && (
            <>
              <h2 className="mt-6 mb-2 font-semibold">{t('replace')}</h2>
              <Replacement {...of} />
            </>
          )}
        </>
      )}
    </Drawer>
  )
}

const domainsMax = 500
const Assigned = z.object({ domains: z.array(z.string()) })
const AssignedField = fieldsOf(Assigned)

/** Assigns the certificate to domains of the site, several at once. */
function Assignment(of: Of) {
  const call = useCall(domains.list, {
    siteId: of.siteId,
    query: { page: 1, pageSize: domainsMax, sortBy: 'name', orderBy: 'asc' },
  })
  if (call.isError) return <Failed fault={call.error} retry={() => call.refetch()} />
  if (!call.data) return <div className="skeleton h-16" />
  return <AssignmentForm {...of} all={call.data.data} />
}

const above = (name: string) => (name.startsWith('*.') ? name : `*${name.slice(name.indexOf('.'))}`)

function AssignmentForm({ siteId, certificate, all }: Of & { all: readonly { id: number; name: string }[] }) {
  const t = usePhrases('certificates')
  const mayWrite = useMay()('domains.write')
  const assign = useChange(certificates.assign, certificates.list, domains.list, domains.settings)
  const covered = all.filter(({ name }) => certificate.names.some((one) => one === name || one === above(name)))
  const used = new Set(certificate.domains)
  const form = useResourceForm(Assigned, {
    values: { domains: covered.filter(({ name }) => used.has(name)).map(({ id }) => String(id)) },
    async save({ domains: chosen }) {
      const wanted = new Set(chosen.map(Number))
      const removed = covered.filter(({ id, name }) => used.has(name) && !wanted.has(id)).map(({ id }) => id)
      const added = covered.filter(({ id, name }) => !used.has(name) && wanted.has(id)).map(({ id }) => id)
      if (removed.length > 0) await assign.mutateAsync({ siteId, body: { certificateID: 0, domainIDs: removed } })
      if (added.length > 0)
        await assign.mutateAsync({ siteId, body: { certificateID: certificate.id, domainIDs: added } })
    },
    done: t('assigned'),
    stays: (saved) => saved,
  })
  if (covered.length === 0) return <p className="text-ink-3">{t('assign.none')}</p>
  return (
    <Form form={form}>
      <AssignedField.Many
        name="domains"
        label={t('assign')}
        help={t('assign.help')}
        options={covered.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {mayWrite && (
        <Button type="submit" busy={form.busy}>
          {t('assign.save')}
        </Button>
      )}
    </Form>
  )
}

const Replace = CertificateUpdate.omit({ id: true })
const Field = fieldsOf(Replace)

function Replacement({ siteId, certificate }: Of) {
  const t = usePhrases('certificates')
  const update = useChange(certificates.update, certificates.list, certificates.meta, domains.list)
  const form = useResourceForm(Replace, {
    values: { name: certificate.name, certificate: '', privateKey: '' },
    save: (body) => update.mutateAsync({ siteId, body: { id: certificate.id, ...body } }),
    done: t('updated'),
    stays: ({ name }) => ({ name, certificate: '', privateKey: '' }),
  })
  return (
    <Form form={form}>
      <Field.Text name="name" label={t('name')} />
      <Field.Block
        name={'certificate' as never}
        label={t('certificate')}
        help={t('replace.help')}
        placeholder="-----BEGIN CERTIFICATE-----"
      />
      <Field.Block
        name={'privateKey' as never}
        label={t('privateKey')}
        help={t('replace.keyHelp')}
        placeholder="-----BEGIN PRIVATE KEY-----"
        isSecret
      />
      <Button type="submit" busy={form.busy}>
        {t('replace.save')}
      </Button>
    </Form>
  )
}
