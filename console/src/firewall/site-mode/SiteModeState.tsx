/** Whether the site is being challenged now: since when, by whom or what, and previous attacks. */
import { type SiteAttack, siteModeState } from '@breakwater/contract/firewall/site-mode.ts'
import { Link } from '../../kit/Link.tsx'
import { Loaded } from '../../kit/Loaded.tsx'
import { Status } from '../../kit/Status.tsx'
import { useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'

/** Nodes detect an attack within seconds. */
const everyMs = 5_000

export function SiteModeState({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const format = useFormat()
  const call = useCall(siteModeState.state, { siteId }, { everyMs })
  return (
    <Loaded title={t('whole.state')} help={t('whole.stateHelp')} call={call}>
      {({ challenges, switchedBy, since, who, attacks }) => (
        <>
          <p>
            <Status tone={!challenges ? 'mute' : switchedBy === 'traffic' ? 'bad' : 'info'} wraps>
              {t(challenges ? `whole.by.${switchedBy}` : 'whole.by.nobody', {
                who,
                since: since === null ? '' : format.moment(since),
              })}
            </Status>
          </p>
          {attacks.length > 0 && (
            <ul className="mt-3 grid gap-1 text-ink-2">
              {attacks.map((attack) => (
                <li key={attack.beganAt}>
                  <Attack {...attack} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  )
}

function Attack({ id, beganAt, endedAt, reason, rate, limit, nodes }: SiteAttack) {
  const t = usePhrases('firewall')
  const places = usePlaces()
  const format = useFormat()
  const values = { rate: format.number(rate), limit: format.number(limit), nodes: nodes.join(', ') }
  return (
    <>
      <span className="num">{format.moment(beganAt)}</span>
      {' – '}
      <span className="num">{endedAt === null ? t('whole.lasts') : format.moment(endedAt)}</span>
      {' · '}
      {t(`whole.because.${reason}`, values)}
      {' · '}
      <Link to={places.attacks} search={{ attack: id }}>
        {t('report.open')}
      </Link>
    </>
  )
}
