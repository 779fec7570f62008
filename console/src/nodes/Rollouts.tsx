/** Changes of many sites that are being rolled out to the nodes, and those rolled back in the last day. */
import { type Rollout, rollouts } from '@breakwater/contract/nodes/rollouts.ts'
import { Panel } from '../kit/Panel.tsx'
import { Status } from '../kit/Status.tsx'
import { actionText } from '../pickers/action-text.ts'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

const everyMs = 5_000
const shownMs = 86_400_000

/** The newest three that need attention. */
function worthShowing(all: readonly Rollout[], now: number): Rollout[] {
  return all
    .filter(
      ({ state, endedAt }) =>
        state === 'running' || (state === 'returned' && now - Date.parse(endedAt ?? '') < shownMs),
    )
    .slice(0, 3)
}

/** Changes of a zone or node roll out the same way, but are not changes of a site. */
const isOfZone = (action: string) => /^client\.(zone|node)\./.test(action)

export function Rollouts() {
  const t = usePhrases('nodes')
  const tAudit = usePhrases('audit')
  const format = useFormat()
  const { data } = useCall(rollouts.list, { query: { page: 1, pageSize: 10 } }, { everyMs })
  const shown = worthShowing(data?.data ?? [], Date.now())
  if (shown.length === 0) return null
  return (
    <Panel title={t('rollouts')} className="mb-3">
      <ul className="divide-y divide-line">
        {shown.map(({ id, state, step, sites, action, actor, zone, nodes, reason, stepAt, endedAt }) => (
          <li key={id} className="flex min-h-10 flex-wrap items-center gap-x-4 py-2">
            <Status tone={state === 'running' ? 'info' : 'bad'} going={state === 'running'}>
              {t(state === 'running' ? `rollout.${step}` : 'rollout.returned')}
            </Status>
            <span className="font-medium">
              {isOfZone(action) ? t('configuration') : t('rollout.sites', { n: sites })}
            </span>
            <span className="text-ink-2">{`${actionText(action, tAudit)} · ${actor} · ${zone}`}</span>
            {state === 'running' && <span className="text-ink-2">{nodes.join(', ')}</span>}
            <span className="text-ink-3">{format.ago(endedAt ?? stepAt)}</span>
            {reason !== '' && <p className="basis-full break-words text-bad">{reason}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
