/** One domain: whose it is, its origins, and where its DNS points. */
import { type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import { useCall, useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { useMay } from '../app/session.ts'
import { Button } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { showFault } from '../kit/faults.tsx'
import { toasts } from '../kit/toasts.ts'
import { UpstreamEditor } from '../pickers/UpstreamEditor.tsx'
import { ModuleBinding } from './ModuleBinding.tsx'
import { Ownership } from './Ownership.tsx'

type Props = { siteId: number; domain: Domain; onClose: () => void }

export function DomainDrawer({ siteId, domain, onClose }: Props) {
  const t = usePhrases('domains')
  const may = useMay()
  const settings = useCall(domains.settings, { siteId, query: { domainName: domain.name } })
  return (
    <Drawer title={domain.name} onClose={onClose}>
      <section className="mb-6">
        <h2 className="mb-2 font-semibold">{t('origins')}</h2>
        <UpstreamEditor siteId={siteId} domainId={domain.id} readOnly={!may('domains.write')} />
      </section>
      {domain.cname && (
        <section className="mb-6">
          <h2 className="mb-2 font-semibold">{t('cname')}</h2>
          <CopyText text={domain.cname} block />
        </section>
      )}
      <ProofSection siteId={siteId} domain={domain} />
      {settings.data && may('modules.read') && (
        <section>
          <h2 className="mb-2 font-semibold">{t('module')}</h2>
          <ModuleBinding siteId={siteId} domainId={domain.id} bound={settings.data.modules.customHeader} />
        </section>
      )}
    </Drawer>
  )
}

function ProofSection({ siteId, domain }: Omit<Props, 'onClose'>) {
  const t = usePhrases('domains')
  const tSites = usePhrases('sites')
  const { tier } = usePlaces()
  const mayWrite = useMay()('domains.write')
  const prove = useChange(domains.prove, domains.list)
  const approve = useChange(domains.approve, domains.list)
  const { state, recordName, recordValue } = domain.ownership
  const of = { siteId, domainId: domain.id }
  async function check() {
    const answer = await prove.mutateAsync(of)
    if (answer.state === 'pending') toasts.info(t('ownership.notYet'))
    else toasts.done(t('ownership.done'))
  }
  return (
    <section className="mb-6">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-semibold">{t('ownership')}</h2>
        <Ownership state={state} />
      </div>
      {state === 'pending' && (
        <>
          <p className="mb-2 text-ink-2">{tSites('dns.ownText')}</p>
          <div className="mb-2 space-y-2">
            <CopyText text={recordName} block />
            <CopyText text={recordValue} block />
          </div>
          {mayWrite && (
            <span className="flex gap-2">
              <Button busy={prove.isPending} onClick={() => check().catch(showFault)}>
                {t('ownership.check')}
              </Button>
              {tier === 'client' && (
                <Button
                  busy={approve.isPending}
                  onClick={() =>
                    approve.mutate(of, { onError: showFault, onSuccess: () => toasts.done(t('ownership.done')) })
                  }
                >
                  {t('ownership.approve')}
                </Button>
              )}
            </span>
          )}
        </>
      )}
    </section>
  )
}
