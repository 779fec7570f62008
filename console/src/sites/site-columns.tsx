/** The columns that both site lists share. */
import type { Site } from '@breakwater/contract/sites/sites.ts'
import { Link } from '../kit/Link.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { Status, Tags, type Tone } from '../kit/Status.tsx'
import type { Format } from '../platform/format.ts'
import type { Say } from '../platform/phrases.ts'
import type { Places } from '../platform/places.ts'

const tones: Record<Site['statusName'], Tone> = {
  normal: 'ok',
  pause: 'mute',
  limit: 'warn',
  expired: 'bad',
}

export function siteColumns<Row extends Site>(t: Say<'sites'>, format: Format, places: Places): Column<Row>[] {
  return [
    {
      key: 'siteName',
      title: t('name'),
      render: ({ siteID, siteName }) => (
        <Link to={places.site(siteID, siteName)} className="block max-w-[320px] truncate font-medium max-sm:max-w-full">
          {siteName}
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('status'),
      render: ({ statusName }) => <Status tone={tones[statusName]}>{t(`status.${statusName}`)}</Status>,
    },
    {
      key: 'domains',
      title: t('domains'),
      end: true,
      render: ({ domainCount, limitations }) =>
        limitations.domains === 0
          ? format.number(domainCount)
          : `${format.number(domainCount)} / ${format.number(limitations.domains)}`,
    },
    { key: 'product', title: t('product'), render: ({ productName }) => productName },
    {
      key: 'forceBackup',
      title: t('forceBackup'),
      render: ({ forceBackup }) => (forceBackup ? <Status tone="warn">{t('forceBackup.on')}</Status> : '–'),
    },
    { key: 'tags', title: t('tags'), render: ({ tags }) => <Tags values={tags} few /> },
    {
      key: 'limitations',
      title: t('limit.traffic'),
      end: true,
      render: ({ limitations }) =>
        limitations.trafficBytes === 0 ? (
          <span className="text-ink-3">{t('limit.none')}</span>
        ) : (
          format.bytes(limitations.trafficBytes)
        ),
    },
    {
      key: 'expired',
      title: t('expires'),
      render: ({ expired }) => (expired ? format.day(expired) : <span className="text-ink-3">{t('never')}</span>),
    },
    { key: 'revision', title: t('revision'), end: true, render: ({ revision }) => format.number(revision) },
    {
      key: 'createdAt',
      title: t('created'),
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
  ]
}
