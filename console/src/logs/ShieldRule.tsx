/** A rule of the API shield: which operation of the document matched, and what was wrong. */
import { shieldRule } from '@breakwater/contract/edge/shield-reasons.ts'
import { usePhrases } from '../platform/phrases.ts'

export function ShieldRule({ rule, detail }: { rule: number; detail?: string | undefined }) {
  const t = usePhrases('logs')
  const { operation, reason } = shieldRule(rule)
  return (
    <span>
      {reason ? t(`shield.${reason}`) : rule}
      {operation > 0 && ` · ${t('shield.operation', { id: operation })}`}
      {detail && (
        <>
          {' · '}
          <code className="mono break-all">{detail}</code>
        </>
      )}
    </span>
  )
}
