/** The differences between two revisions, part by part. */
import { history } from '@breakwater/contract/sites/history.ts'
import { Failed } from '../../kit/faults.tsx'
import { ChangeList } from '../../pickers/rules/ChangeList.tsx'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'

export function Changes({ siteId, from, to }: { siteId: number; from: number; to: number }) {
  const t = usePhrases('sites')
  const call = useCall(history.diff, { siteId, query: { from, to } })
  if (call.isError && !call.data) return <Failed fault={call.error} retry={() => call.refetch()} />
  if (!call.data) return <div className="skeleton appear-late h-40" />
  if (call.data.changes.length === 0) return <p className="text-ink-2">{t('history.same')}</p>
  return <ChangeList changes={call.data.changes} />
}
