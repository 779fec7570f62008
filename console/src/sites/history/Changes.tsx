/** What differs between two revisions, part by part. */
import { history } from '@breakwater/contract/sites/history.ts'
import { useCall } from '../../app/calls.ts'
import { usePhrases } from '../../app/phrases.ts'
import { Diff } from '../../kit/Diff.tsx'
import { Failed } from '../../kit/faults.tsx'
import { Badge, type Tone } from '../../kit/Status.tsx'

const tones = { added: 'ok', removed: 'bad', changed: 'info' } as const satisfies Record<string, Tone>

export function Changes({ siteId, from, to }: { siteId: number; from: number; to: number }) {
  const t = usePhrases('sites')
  const call = useCall(history.diff, { siteId, query: { from, to } })
  if (call.isError) return <Failed fault={call.error} retry={() => call.refetch()} />
  if (!call.data) return <div className="skeleton appear-late h-40" />
  if (call.data.changes.length === 0) return <p className="text-ink-2">{t('history.same')}</p>
  return (
    <ul className="space-y-4">
      {call.data.changes.map(({ path, kind, before, after }) => (
        <li key={path}>
          <p className="mb-1.5 flex items-center gap-2">
            <Badge tone={tones[kind]}>{t(`change.${kind}`)}</Badge>
            <code className="mono">{path}</code>
          </p>
          <Diff label={path} before={before} after={after} />
        </li>
      ))}
    </ul>
  )
}
