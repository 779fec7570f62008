/** Tests the threshold and the level in a module's form against the log of the last 24 hours, before they are saved. */
import type { WafModule } from '@breakwater/contract/modules/waf.ts'
import { wafSimulation } from '@breakwater/contract/modules/waf-simulation.ts'
import { useFormContext, useWatch } from 'react-hook-form'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { SimulationOutcome } from './SimulationOutcome.tsx'

type Props = { siteId: number; module: WafModule & { id: number } }

export function WafTrial({ siteId, module }: Props) {
  const t = usePhrases('modules')
  const mayRead = useMay()('logs.read')
  const { trigger } = useFormContext<WafModule>()
  const { threshold, paranoia = module.paranoia } = useWatch() as Partial<WafModule>
  const trial = useChange(wafSimulation.simulate)
  if (!mayRead) return null
  async function tryIt() {
    if (!(await trigger(['threshold', 'paranoia'])) || threshold === undefined) return
    trial.mutate({ siteId, moduleId: module.id, body: { threshold, paranoia } }, { onError: showFault })
  }
  return (
    <section className="mb-4" aria-live="polite">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={tryIt} busy={trial.isPending}>
          {t('waf.try')}
        </Button>
        <p className="min-w-0 flex-1 text-ink-3 text-xs">
          {t(paranoia > module.paranoia ? 'waf.try.higher' : 'waf.try.help')}
        </p>
      </div>
      {trial.data && <SimulationOutcome found={trial.data} />}
    </section>
  )
}
