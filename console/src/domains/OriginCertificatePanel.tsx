/** The client certificate that identifies the nodes to origins. Its key is write-only. */
import { OriginCertificate, originCertificate } from '@breakwater/contract/delivery/origin-certificate.ts'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Panel } from '../kit/Panel.tsx'
import { Status } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const Field = fieldsOf(OriginCertificate)

export function OriginCertificatePanel({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  const format = useFormat()
  const mayWrite = useMay()('domains.write')
  const [isOpen, setOpen] = useState(false)
  const { data } = useCall(originCertificate.calls.get, { siteId })
  const remove = useChange(originCertificate.calls.remove, originCertificate.calls.get)
  if (!data) return null
  return (
    <Panel title={t('mutual.title')} className="mt-3 max-w-[880px]">
      <p className="mb-3 text-ink-2">{t('mutual.help')}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Status tone={data.isSet ? 'ok' : 'mute'}>
          {data.expired ? t('mutual.set', { day: format.day(data.expired) }) : t('credential.unset')}
        </Status>
        {data.isSet && <code className="mono break-all text-ink-2">{data.subject}</code>}
        {mayWrite && (
          <span className="ml-auto flex gap-2">
            <Button onClick={() => setOpen(true)}>{t('mutual.change')}</Button>
            {data.isSet && (
              <ConfirmButton
                label={t('mutual.remove')}
                title={t('mutual.remove')}
                consequence={t('mutual.removeText')}
                confirmLabel={t('mutual.remove')}
                onConfirm={async () => {
                  await remove.mutateAsync({ siteId })
                  toasts.done(t('credential.removed'))
                }}
              />
            )}
          </span>
        )}
      </div>
      {isOpen && <OriginCertificateForm siteId={siteId} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function OriginCertificateForm({ siteId, onClose }: { siteId: number; onClose: () => void }) {
  const t = usePhrases('domains')
  const set = useChange(originCertificate.calls.update, originCertificate.calls.get)
  const form = useResourceForm(OriginCertificate, {
    values: { certificate: '', privateKey: '' },
    save: (body) => set.mutateAsync({ siteId, body }),
    done: t('added'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('mutual.title')} onClose={onClose}>
      <Field.Block name="certificate" label={t('mutual.certificate')} placeholder="-----BEGIN CERTIFICATE-----" />
      <Field.Block
        name="privateKey"
        label={t('mutual.privateKey')}
        help={t('mutual.privateKeyHelp')}
        placeholder="-----BEGIN PRIVATE KEY-----"
        isSecret
      />
    </FormDrawer>
  )
}
