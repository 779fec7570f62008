/** One's own account. */
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { useSelf } from '../app/session.ts'
import { buttonClass } from '../kit/Button.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'

export function ProfileScreen() {
  const t = usePhrases('account')
  const tApp = usePhrases('app')
  const self = useSelf()
  const places = usePlaces()
  const secondStep = ([0, 1, 2, 3] as const).find((type) => type === self.login2FAType) ?? 0
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('title')} />
      <Panel>
        <Facts>
          <Fact name={t('name')}>{self.name}</Fact>
          <Fact name={t('account')}>{self.account}</Fact>
          <Fact name={t('email')}>{self.email || '–'}</Fact>
          <Fact name={t('console')}>{tApp(`console.${self.auth}`)}</Fact>
          <Fact name={t('role')}>{t(self.isRoot ? 'role.root' : 'role.member')}</Fact>
          {self.permissions.length > 0 && (
            <Fact name={t('permissions')}>
              <Tags values={self.permissions} />
            </Fact>
          )}
        </Facts>
      </Panel>
      <Panel title={t('security')} className="mt-3">
        <Facts className="mb-3">
          <Fact name={t('twoFactor')}>{t(`twoFactor.${secondStep}`)}</Fact>
        </Facts>
        <Link to={places.password} className={buttonClass({}, 'hover:no-underline')}>
          {t('password')}
        </Link>
      </Panel>
    </div>
  )
}
