/** What the firewall of a zone decided by: in full for its operator; for a customer only what concerns the request. */
import type { ByZone } from '@breakwater/contract/logs/access.ts'
import { Link } from '../kit/Link.tsx'
import { Fact } from '../kit/Panel.tsx'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'

export function ZoneFacts({ byZone, guard }: { byZone: ByZone | null; guard: string }) {
  const t = usePhrases('logs')
  const format = useFormat()
  const places = usePlaces()
  if (!byZone) return null
  const { zone, list, limit, ban } = byZone
  return (
    <>
      {zone && (
        <Fact name={t('zone.zone')}>
          <Link to={places.zone(zone.id, zone.name)} search={{ tab: 'firewall' } as never} className="text-accent">
            {zone.name}
          </Link>
        </Fact>
      )}
      {list && <Fact name={t('zone.listed')}>{t(list.isListed ? 'zone.stillListed' : 'zone.listedThen')}</Fact>}
      {list && zone && (
        <Fact name={t('zone.entry')}>{list.entry === null ? t('zone.entryGone') : <Entry list={list} />}</Fact>
      )}
      {limit && (
        <Fact name={t('before.requests')}>
          {t('zone.limitOf', {
            n: limit.count,
            seconds: format.number(limit.seconds),
            limit: format.number(limit.limit),
          })}
        </Fact>
      )}
      {ban && (
        <Fact name={t('zone.ban')}>
          {t('zone.banOf', {
            since: format.moment(ban.since),
            until: format.moment(ban.until),
            cause: t(`zone.cause.${ban.cause}`),
          })}
          {ban.node !== null && <span className="block text-ink-2">{t('zone.banNode', { node: ban.node })}</span>}
        </Fact>
      )}
      {!ban && guard === 'bansOfZone' && <Fact name={t('zone.ban')}>{t('zone.banGone')}</Fact>}
    </>
  )
}

function Entry({ list: { entry, revision, savedAt } }: { list: NonNullable<ByZone['list']> }) {
  const t = usePhrases('logs')
  const format = useFormat()
  return t('zone.entryOf', {
    entry: entry ?? '',
    revision: String(revision ?? ''),
    time: savedAt === null ? '' : format.moment(savedAt),
  })
}
