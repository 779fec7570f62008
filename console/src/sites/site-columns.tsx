/** The columns that both lists of sites have. */
import type { Site } from '@breakwater/contract/sites/sites.ts'
import type { Format } from '../app/format.ts'
import type { Say } from '../app/phrases.ts'
import type { Places } from '../app/places.ts'
import { Link } from '../kit/Link.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { Status, Tags, type Tone } from '../kit/Status.tsx'

const tones: Record<Site['statusName'], Tone> = { normal: 'ok', pause: 'mute', limit: 'warn' }

export function siteColumns<Row extends Site>(t: Say<'sites'>, format: Format, places: Places): Column<Row>[] {
  return [
    {
      key: 'siteName',
      title: t('name'),
      render: ({ siteID, siteName }) => (
        <Link to={places.site(siteID, siteName)} className="font-medium">
          {siteName}
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('status'),
      render: ({ statusName }) => <Status tone={tones[statusName]}>{t(`status.${statusName}`)}</Status>,
    },
    { key: 'domains', title: t('domains'), end: true, render: ({ domainCount }) => format.number(domainCount) },
    { key: 'product', title: t('product'), render: ({ productName }) => productName },
    { key: 'tags', title: t('tags'), render: ({ tags }) => <Tags values={tags} few /> },
    { key: 'revision', title: t('revision'), end: true, render: ({ revision }) => format.number(revision) },
    {
      key: 'createdAt',
      title: t('created'),
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
  ]
}
