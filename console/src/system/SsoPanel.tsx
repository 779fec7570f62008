/** The sign-in providers of the user's consoles. */
import { type StoredSso, ssoSettings } from '@breakwater/contract/auth/single-sign-on.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { Status } from '../kit/Status.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const SsoForm = laterFloat('drawer', () => import('./SsoForm.tsx').then((file) => file.SsoForm))

export function SsoPanel({ consoles, mayWrite }: { consoles: readonly Tier[]; mayWrite: boolean }) {
  const t = usePhrases('system')
  const call = useCall(ssoSettings.get, {})
  const [editing, setEditing] = useState<Tier>()
  const of = (tier: Tier): StoredSso | undefined => call.data?.data.find(({ auth }) => auth === tier)
  return (
    <>
      <Loaded title={t('sso.title')} help={t('sso.help')} call={call}>
        {() => (
          <ul className="divide-y divide-line">
            {consoles.map((tier) => {
              const provider = of(tier)
              return (
                <li
                  key={tier}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
                >
                  <div className="min-w-0 flex-1 basis-60">
                    <h3 className="font-medium">{t(`sso.console.${tier}`)}</h3>
                    <p className="break-words text-ink-2">
                      {provider ? (
                        <>
                          <Status tone={provider.enable ? 'ok' : 'mute'}>
                            {t(provider.enable ? 'sso.on' : 'sso.off')}
                          </Status>{' '}
                          {provider.name} · {provider.issuer}
                        </>
                      ) : (
                        t('sso.none')
                      )}
                    </p>
                  </div>
                  {mayWrite && (
                    <Button onClick={() => setEditing(tier)}>{t(provider ? 'sso.edit' : 'sso.setUp')}</Button>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
      {editing && <SsoForm auth={editing} provider={of(editing)} onClose={() => setEditing(undefined)} />}
    </>
  )
}
