/** Error pages of a site, and those for all sites of an operator. */
import { operatorErrorPages, siteErrorPages } from '@breakwater/contract/delivery/error-pages.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { ErrorPages } from './ErrorPages.tsx'

export function SiteErrorPagesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  const mayWrite = useMay()('cache.write')
  const call = useCall(siteErrorPages.get, { siteId })
  const update = useChange(siteErrorPages.update, siteErrorPages.get)
  const remove = useChange(siteErrorPages.remove, siteErrorPages.get)
  return (
    <ErrorPages
      title={t('pages')}
      help={t('pages.help')}
      call={call}
      mayWrite={mayWrite}
      save={(body) => update.mutateAsync({ siteId, body })}
      remove={(status) => remove.mutateAsync({ siteId, body: { status } })}
    />
  )
}

export function ErrorSettingScreen() {
  const t = usePhrases('delivery')
  const mayWrite = useMay()('settings.write')
  const call = useCall(operatorErrorPages.get, {})
  const update = useChange(operatorErrorPages.update, operatorErrorPages.get)
  const remove = useChange(operatorErrorPages.remove, operatorErrorPages.get)
  return (
    <ErrorPages
      title={t('pages')}
      help={t('pages.operatorHelp')}
      call={call}
      mayWrite={mayWrite}
      save={(body) => update.mutateAsync({ body })}
      remove={(status) => remove.mutateAsync({ body: { status } })}
    />
  )
}
