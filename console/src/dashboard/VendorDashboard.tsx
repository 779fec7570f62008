/** The vendor's first page. Says honestly what is not here yet. */
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { buttonClass } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'

export function VendorDashboard() {
  const t = usePhrases('statistics')
  const places = usePlaces()
  return (
    <>
      <PageHead title={t('dashboard.title')} />
      <Panel className="py-14 text-center">
        <Empty
          title={t('vendor.title')}
          action={
            <Link to={places.profile} className={buttonClass({}, 'hover:no-underline')}>
              {t('vendor.profile')}
            </Link>
          }
        >
          {t('vendor.text')}
        </Empty>
      </Panel>
    </>
  )
}
