/** The signed-in person's own account: profile, sign-in methods and sessions. */

import { useState } from 'react'
import { Button, buttonClass } from '../kit/Button.tsx'
import { Link } from '../kit/Link.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useSelf } from '../platform/session.ts'
import { LanguageChoice } from './LanguageChoice.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'
import { SecondStepPanel } from './second-step/SecondStepPanel.tsx'

const ProfileForm = laterFloat('drawer', () => import('./ProfileForm.tsx').then((file) => file.ProfileForm))

export function ProfileScreen() {
  const t = usePhrases('account')
  const tPlatform = usePhrases('platform')
  const self = useSelf()
  const places = usePlaces()
  const [isEditing, setEditing] = useState(false)
  // Personal settings are hidden from anyone who acts on behalf of this person.
  const isPerson = self.proxiedBy === undefined
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('title')}>
        {isPerson && <Button onClick={() => setEditing(true)}>{t('edit')}</Button>}
      </PageHead>
      <div className="grid gap-3">
        <Panel>
          <Facts>
            <Fact name={t('name')}>{self.name}</Fact>
            <Fact name={t('account')}>{self.account}</Fact>
            <Fact name={t('email')}>{self.email || '–'}</Fact>
            <Fact name={t('console')}>{tPlatform(`console.${self.auth}`)}</Fact>
            <Fact name={t('role')}>{t(self.isRoot ? 'role.root' : 'role.member')}</Fact>
            {!self.isRoot && self.permissions.length > 0 && (
              <Fact name={t('permissions')}>
                <Tags values={self.permissions} />
              </Fact>
            )}
            <Fact name={t('language')}>
              <LanguageChoice />
            </Fact>
          </Facts>
        </Panel>
        {isPerson && (
          <SecondStepPanel>
            <Link to={places.password} className={buttonClass({}, 'hover:no-underline')}>
              {t('password')}
            </Link>
          </SecondStepPanel>
        )}
        {isPerson && <SessionsPanel />}
        {isEditing && <ProfileForm onClose={() => setEditing(false)} />}
      </div>
    </div>
  )
}
