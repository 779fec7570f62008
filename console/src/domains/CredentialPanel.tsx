/** The header that only our nodes send. Its value is write-only. */
import { originCredential } from '@breakwater/contract/sites/origin-credential.ts'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { Panel } from '../kit/Panel.tsx'
import { Status } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const CredentialForm = laterFloat('drawer', () => import('./CredentialForm.tsx').then((file) => file.CredentialForm))

export function CredentialPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  const mayWrite = useMay()('domains.write')
  const [isOpen, setOpen] = useState(false)
  const { data } = useCall(originCredential.calls.get, { siteId })
  const remove = useChange(originCredential.calls.remove, originCredential.calls.get)
  if (!data) return null
  return (
    <Panel title={t('credential.title')} className="mt-3 max-w-[880px]">
      <p className="mb-3 text-ink-2">{t('credential.text')}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Status tone={data.isSet ? 'ok' : 'mute'}>
          {data.isSet ? t('credential.set', { version: String(data.version) }) : t('credential.unset')}
        </Status>
        {data.isSet && <code className="mono text-ink-2">{data.header}</code>}
        {mayWrite && (
          <span className="ml-auto flex gap-2">
            <Button onClick={() => setOpen(true)}>{t('credential.change')}</Button>
            {data.isSet && (
              <ConfirmButton
                label={t('credential.remove')}
                title={t('credential.remove')}
                consequence={t('credential.removeText')}
                confirmLabel={t('credential.remove')}
                onConfirm={async () => {
                  await remove.mutateAsync({ siteId })
                  toasts.done(t('credential.removed'))
                }}
              />
            )}
          </span>
        )}
      </div>
      {isOpen && <CredentialForm siteId={siteId} header={data.header} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
