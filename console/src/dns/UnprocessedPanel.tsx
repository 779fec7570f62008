/** Records that the name server rejected, with its own message, and a button to write them again. */
import { dnsRecords } from '@breakwater/contract/dns/site-dns.ts'
import { Button } from '../kit/Button.tsx'
import { Panel } from '../kit/Panel.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

/** The remaining ones appear once these are written. */
const shownMax = 100

export function UnprocessedPanel() {
  const t = usePhrases('dns')
  const mayWrite = useMay()('settings.write')
  const { data: page } = useCall(dnsRecords.unprocessed, { query: { page: 1, pageSize: shownMax } })
  const again = useChange(dnsRecords.recovery, dnsRecords.unprocessed)
  if (!page || page.total === 0) return null
  const ids = page.data.map(({ id }) => id)
  return (
    <Panel
      title={t('unprocessed', { n: page.total })}
      aside={
        mayWrite && (
          <Button
            size="sm"
            busy={again.isPending}
            onClick={() => again.mutateAsync({ body: { ids } }).then(() => toasts.done(t('unprocessed.again.done')))}
          >
            {t('unprocessed.again')}
          </Button>
        )
      }
    >
      <ul>
        {page.data.map(({ id, name, type, value, reason }) => (
          <li key={id} className="py-1">
            <span className="mono [overflow-wrap:anywhere]">
              {name} {type} {value || '–'}
            </span>
            <span className="ml-3 text-bad">{reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
