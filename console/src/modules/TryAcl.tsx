/** Tests the rule of the form against the last 24 hours before it is saved. */
import { isAclLogged, type LuaAcl, luaAcls } from '@breakwater/contract/modules/lua-acls.ts'
import { useFormContext } from 'react-hook-form'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { Outcome } from '../pickers/rules/TryRule.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

type Props = {
  siteId: number
  moduleId: number
  /** The rule that it would replace. */
  ruleId: number | undefined
  /** Converts the form's values to the rule. */
  sent: (held: never) => LuaAcl
}

export function TryAcl({ siteId, moduleId, ruleId, sent }: Props) {
  const t = usePhrases('modules')
  const tRules = usePhrases('rules')
  const { getValues, trigger, watch } = useFormContext()
  const trial = useChange(luaAcls.calls.backtest)
  watch('script')
  const rule = sent(getValues() as never)
  const isLogged = isAclLogged(rule.conditions)
  async function tryIt() {
    if (!(await trigger())) return
    const body = { rule: sent(getValues() as never), ...(ruleId === undefined ? {} : { id: ruleId }) }
    trial.mutate({ siteId, moduleId, body }, { onError: showFault })
  }
  const isAllow = ['allow', 'header', 'skip'].includes(trial.variables?.body.rule.action ?? '')
  return (
    <section className="mb-4 border-line border-t pt-4" aria-live="polite">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={tryIt} busy={trial.isPending} disabled={!isLogged}>
          {tRules('try')}
        </Button>
        <p className="min-w-0 flex-1 text-ink-3 text-xs">{isLogged ? tRules('try.help') : t('acl.notLogged')}</p>
      </div>
      {trial.data && <Outcome found={trial.data} isAllow={isAllow} />}
    </section>
  )
}
