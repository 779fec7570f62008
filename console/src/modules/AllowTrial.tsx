/**
 * Tests the exceptions of a form: whether they let the request pass that they are for, and which others of the last 24
 * hours.
 */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { WafModule, WafModuleRule } from '@breakwater/contract/modules/waf.ts'
import { readWaf, scoreWithout } from '@breakwater/contract/modules/waf-exceptions.ts'
import { wafSimulation } from '@breakwater/contract/modules/waf-simulation.ts'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { Status } from '../kit/Status.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { Allowing } from './allowing.ts'
import { SimulationOutcome } from './SimulationOutcome.tsx'

type Props = {
  siteId: number
  row: AccessLogRow
  module: WafModule & { id: number }
  path: string
  itemsOf: (said: Allowing) => Partial<WafModuleRule>[]
}

export function AllowTrial({ siteId, row, module, path, itemsOf }: Props) {
  const t = usePhrases('modules')
  const { getValues } = useFormContext<Allowing>()
  const trial = useChange(wafSimulation.simulate)
  const [tried, setTried] = useState(false)
  const { matches = [], urlRegex = '' } = useWatch() as Partial<Allowing>
  const score = scoreWithout(row, speaksOf(urlRegex, path) ? matches : [])
  const { budget } = readWaf(row.waf)
  const passes = score < module.threshold && (budget === undefined || module.overBudget === 'pass')
  function tryIt() {
    setTried(true)
    const body = { rules: itemsOf(getValues()) as never }
    trial.mutate({ siteId, moduleId: module.id, body }, { onError: showFault })
  }
  return (
    <section className="mb-4 border-line border-t pt-4" aria-live="polite">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={tryIt} busy={trial.isPending}>
          {t('waf.allow.try')}
        </Button>
        <p className="min-w-0 flex-1 text-ink-3 text-xs">{t('waf.allow.tryHelp')}</p>
      </div>
      {tried && (
        <p className="mt-3">
          <Status tone={passes ? 'ok' : 'bad'}>
            {t(passes ? 'waf.allow.passes' : 'waf.allow.stays', { score, threshold: module.threshold })}
          </Status>{' '}
          {!passes && budget !== undefined && <span className="text-ink-2">{t('waf.allow.budget')}</span>}
        </p>
      )}
      {tried && trial.data && <SimulationOutcome found={trial.data} />}
    </section>
  )
}

function speaksOf(urlRegex: string, path: string): boolean {
  if (urlRegex === '') return true
  try {
    return new RegExp(urlRegex).test(path)
  } catch {
    // An invalid exception matches nothing; its field reports the error on saving.
    return false
  }
}
