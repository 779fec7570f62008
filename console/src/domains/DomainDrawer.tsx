/** One domain: its owner, its origins, and where its DNS points. */
import { type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import { cors } from '@breakwater/contract/modules/cors.ts'
import { customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import { luaAcls } from '@breakwater/contract/modules/lua-acls.ts'
import type { ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { proxyRewrites } from '@breakwater/contract/modules/proxy-rewrites.ts'
import { tokenAuths } from '@breakwater/contract/modules/token-auths.ts'
import { urlRedirects } from '@breakwater/contract/modules/url-redirects.ts'
import { waf } from '@breakwater/contract/modules/waf.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { Button } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { showFault } from '../kit/faults.tsx'
import { whileOrdered } from '../pickers/CertificateStatus.tsx'
import { DnsRecords } from '../pickers/DnsRecords.tsx'
import { UpstreamEditor } from '../pickers/UpstreamEditor.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { HttpsSection } from './HttpsSection.tsx'
import { ModuleBinding } from './ModuleBinding.tsx'
import { Ownership } from './Ownership.tsx'

type Props = { siteId: number; domain: Domain; onClose: () => void }

/** In the order in which they take effect. */
const families = [
  luaAcls,
  waf,
  cors,
  urlRedirects,
  tokenAuths,
  proxyRewrites,
  customHeaders,
] as unknown as ModuleFamily[]

export function DomainDrawer({ siteId, domain, onClose }: Props) {
  const t = usePhrases('domains')
  const tModules = usePhrases('modules')
  const may = useMay()
  const site = useCall(sites.get, { siteId }).data
  const settings = useCall(
    domains.settings,
    { siteId, query: { domainName: domain.name } },
    { everyMs: (now) => whileOrdered(now && [now.certStatus]) },
  )
  return (
    <Drawer title={domain.name} onClose={onClose}>
      <section className="mb-6">
        <h2 className="mb-2 font-semibold">{t('origins')}</h2>
        <UpstreamEditor siteId={siteId} domainId={domain.id} readOnly={!may('domains.write')} />
      </section>
      {site && (
        <section className="mb-6">
          <h2 className="mb-2 font-semibold">{t('records')}</h2>
          <DnsRecords site={site} all={[domain]} />
        </section>
      )}
      <ProofSection siteId={siteId} domain={domain} />
      {settings.data && <HttpsSection siteId={siteId} domain={domain} settings={settings.data} />}
      {settings.data && may('modules.read') && (
        <section>
          <h2 className="mb-2 font-semibold">{t('module')}</h2>
          {families.map((family) => (
            <div key={family.kind} className="mb-2">
              <ModuleBinding
                siteId={siteId}
                domainId={domain.id}
                family={family}
                label={tModules(`bind.${family.one as keyof Domain['modules']}`)}
                bound={settings.data.modules[family.one as keyof Domain['modules']]}
              />
            </div>
          ))}
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
  const { state, filePath } = domain.ownership
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
          {filePath !== '' && (
            <div className="mb-2">
              <p className="mb-1 text-ink-2">{t('proof.file')}</p>
              <CopyText text={`http://${domain.name}${filePath}`} block />
            </div>
          )}
          {domain.cname && <p className="mb-2 text-ink-2">{t('proof.cname')}</p>}
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
