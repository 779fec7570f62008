/** The operator's button to pause a site or resume it. The palette links here with `?ask=status`. */
import { operatorSites } from '@breakwater/contract/sites/operator-sites.ts'
import { type SiteDetail, sites } from '@breakwater/contract/sites/sites.ts'
import { z } from 'zod'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useSearchState } from '../platform/search-state.ts'
import { toasts } from '../platform/toasts.ts'

const Search = z.object({ ask: z.literal('status').optional().catch(undefined) })

export function StatusButton({ site: { siteID, siteName, status } }: { site: SiteDetail }) {
  const t = usePhrases('sites')
  const [{ ask }, go] = useSearchState(Search)
  const change = useChange(operatorSites.setStatus, sites.get, sites.listAll)
  const isPaused = status === 0
  const act = isPaused ? 'op.resume' : 'op.pause'
  async function apply() {
    await change.mutateAsync({ body: { siteIDs: [siteID], status: isPaused ? 1 : 0 } })
    toasts.done(t('op.saved'), t(isPaused ? 'op.resumed' : 'op.paused', { name: siteName }))
  }
  return (
    <ConfirmButton
      key={ask ?? ''}
      look={isPaused ? 'line' : 'danger'}
      label={t(act)}
      title={t(`${act}.one`, { name: siteName })}
      consequence={t(`${act}.text`)}
      confirmLabel={t(act)}
      startsOpen={ask === 'status'}
      onClose={() => {
        if (ask) go({ ask: undefined }, { replace: true })
      }}
      onConfirm={apply}
    />
  )
}
