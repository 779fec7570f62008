/** How people sign in: providers, verification by mail, and the addresses allowed for the operator's own people. */

import { PageHead } from '../kit/PageHead.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { CidrsPanel } from './CidrsPanel.tsx'
import { SsoPanel } from './SsoPanel.tsx'
import { VerifyPanel } from './VerifyPanel.tsx'

export function SignInSettingsScreen() {
  const t = usePhrases('system')
  const { tier } = usePlaces()
  const mayWrite = useMay()('settings.write')
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('signIn.title')} help={t('signIn.help')} />
      <div className="grid gap-3">
        {tier === 'client' && <VerifyPanel mayWrite={mayWrite} />}
        <SsoPanel mayWrite={mayWrite} consoles={tier === 'admin' ? ['admin'] : ['user', 'client']} />
        {tier === 'client' && <CidrsPanel mayWrite={mayWrite} />}
      </div>
    </div>
  )
}
