/** The columns of the list of nodes. */
import { nodeStatuses, type ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { Meter } from '../kit/Meter.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Badge, Status, type Tone } from '../kit/Status.tsx'
import type { Format } from '../platform/format.ts'
import type { Say } from '../platform/phrases.ts'

const tones: Record<number, Tone> = {
  [nodeStatuses.disabled]: 'mute',
  [nodeStatuses.enabled]: 'ok',
  [nodeStatuses.offline]: 'bad',
}

export function NodeStatus({ node, t }: { node: ZoneNode; t: Say<'nodes'> }) {
  const status = ([0, 1, 2] as const).find((one) => one === node.status) ?? 2
  return <Status tone={tones[status] ?? 'mute'}>{t(`status.${status}`)}</Status>
}

/** How far the node has applied its configuration. A site that it failed to apply keeps its previous settings there. */
/** The last health report of an offline node does not describe its current state. */
const healthNow = ({ status, health }: ZoneNode) => (status === nodeStatuses.offline ? undefined : health)

export function NodeProgress({ node, t }: { node: ZoneNode; t: Say<'nodes'> }) {
  const { watermark, desired, exceptions, problem, updatesDue } = node
  const isBehind = watermark < desired
  const isAway = node.status === nodeStatuses.offline
  return (
    <span className="inline-flex items-center gap-2">
      <Status tone={isBehind ? (isAway ? 'warn' : 'info') : 'ok'} going={isBehind && !isAway}>
        {isBehind
          ? t('config.behind', { watermark: String(watermark), desired: String(desired) })
          : t('config.upToDate', { watermark: String(watermark) })}
      </Status>
      {problem !== '' && <Badge tone="bad">{t('problem')}</Badge>}
      {updatesDue.length > 0 && <Badge tone="warn">{t('updateDue')}</Badge>}
      {exceptions.length > 0 && <Badge tone="bad">{t('exceptions', { n: exceptions.length })}</Badge>}
    </span>
  )
}

export function nodeColumns(t: Say<'nodes'>, format: Format, onOpen: (id: number) => void): Column<ZoneNode>[] {
  return [
    {
      key: 'name',
      title: t('node'),
      render: ({ id, name, ip }) => (
        <RowName name={name} onOpen={() => onOpen(id)}>
          <span className="mono">{ip}</span>
        </RowName>
      ),
    },
    { key: 'status', title: t('status'), render: (node) => <NodeStatus node={node} t={t} /> },
    { key: 'config', title: t('config'), render: (node) => <NodeProgress node={node} t={t} /> },
    { key: 'load', title: t('load'), end: true, render: (node) => healthNow(node)?.load1.toFixed(2) ?? '' },
    {
      key: 'cpu',
      title: t('cpu'),
      render(node) {
        const health = healthNow(node)
        return health && <Meter share={health.cpuBusy} text={format.percent(health.cpuBusy)} />
      },
    },
    {
      key: 'memory',
      title: t('memory'),
      render(node) {
        const health = healthNow(node)
        if (!health) return ''
        const share = health.memoryBytes > 0 ? health.memoryUsedBytes / health.memoryBytes : 0
        return <Meter share={share} text={format.percent(share)} />
      },
    },
    {
      key: 'requests',
      title: t('requests'),
      end: true,
      render(node) {
        const health = healthNow(node)
        return health ? format.compact(health.requestsPerSecond) : ''
      },
    },
    {
      key: 'version',
      title: t('version'),
      render: ({ version }) => <span className="mono text-ink-2">{version}</span>,
    },
    {
      key: 'seen',
      title: t('lastSeen'),
      render: ({ lastSeen }) => <span className="text-ink-3">{lastSeen ? format.ago(lastSeen) : t('never')}</span>,
    },
  ]
}
