/** Nodes that have enrolled but do not serve yet. */
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { Panel } from '../kit/Panel.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const everyMs = 5_000

export function WaitingNodes({ zone }: { zone: { id: number; name: string } }) {
  const t = usePhrases('nodes')
  const mayWrite = useMay()('nodes.write')
  const { data } = useCall(nodes.uninitialized, {}, { everyMs })
  const use = useChange(nodes.initialize, nodes.uninitialized, nodes.zoneNodes, nodes.initialized)
  if (!data || data.data.length === 0) return null
  return (
    <Panel title={t('uninitialized')} className="mb-3">
      <ul className="divide-y divide-line">
        {data.data.map(({ id, name, ip, version }) => (
          <li key={id} className="flex min-h-10 flex-wrap items-center gap-x-4">
            <span className="font-medium">{name}</span>
            <code className="mono text-ink-2">{ip}</code>
            <span className="mono text-ink-3">{version}</span>
            {mayWrite && (
              <Button
                size="sm"
                className="ml-auto"
                busy={use.isPending}
                onClick={() =>
                  use.mutate(
                    { body: { ids: [id], zoneID: zone.id } },
                    { onError: showFault, onSuccess: () => toasts.done(t('used')) },
                  )
                }
              >
                {t('uninitialized.use', { zone: zone.name })}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
