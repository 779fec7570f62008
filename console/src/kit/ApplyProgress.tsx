/** Saved → live on n of m nodes, and which nodes are missing or have refused. */
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { Status } from './Status.tsx'

export type Progress = {
  nodes: number
  live: number
  waiting: readonly { node: string; lastSeen?: string | null; isAway?: boolean }[]
  refused: readonly { node: string; revision: number; reason: string }[]
  /** Present if the change is rolled out in steps or was rolled back. */
  rollout?: { state: 'running' | 'returned'; reason: string } | null
}

export function isLive({ nodes, live }: Progress): boolean {
  return nodes > 0 && live >= nodes
}

export function ApplyProgress({ progress, detailed }: { progress: Progress; detailed?: boolean }) {
  const t = usePhrases('kit')
  const format = useFormat()
  const { nodes, live, waiting, refused, rollout } = progress
  const liveText = t(nodes === 1 ? 'progress.liveOne' : 'progress.live', { live, nodes })
  const away = waiting.filter(({ isAway }) => isAway)
  const present = waiting.filter(({ isAway }) => !isAway)
  return (
    <div role="status" aria-atomic>
      {nodes === 0 ? (
        <Status tone="warn">{t('progress.noNodes')}</Status>
      ) : rollout?.state === 'returned' ? (
        <Status tone="bad">{t('progress.returned')}</Status>
      ) : refused.length > 0 ? (
        <Status tone="bad">{liveText}</Status>
      ) : isLive(progress) ? (
        <Status tone="ok">{liveText}</Status>
      ) : waiting.length > 0 && waiting.every(({ isAway }) => isAway) && rollout?.state !== 'running' ? (
        <Status tone="warn">{liveText}</Status>
      ) : (
        <Status tone="info" going>
          {rollout ? t('progress.steps') : t('progress.applying', { live, nodes })}
        </Status>
      )}
      {detailed && (
        <ul className="mt-1 space-y-0.5 text-ink-2 text-xs">
          {rollout && rollout.reason !== '' && <li className="break-words text-bad">{rollout.reason}</li>}
          {present.length > 0 && !rollout && (
            <li>{t('progress.waiting', { nodes: present.map(({ node }) => node).join(', ') })}</li>
          )}
          {away.map(({ node, lastSeen }) => (
            <li key={node} className="text-warn">
              {lastSeen ? t('progress.away', { node, since: format.moment(lastSeen) }) : t('progress.never', { node })}
            </li>
          ))}
          {refused.map(({ node, revision, reason }) => (
            <li key={node} className="text-bad">
              {t('progress.refused', { node, revision: String(revision), reason })}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
