/** A site at a glance: its requests, how far its settings have come, how to reach it, its domains. */
import { type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { useCall, useChange } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { useRemembered } from '../app/remembered.ts'
import { useMay } from '../app/session.ts'
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { Button, buttonClass } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'
import { toasts } from '../kit/toasts.ts'
import { GoLive, useDomainDns } from '../pickers/GoLive.tsx'
import { usePublishStatus } from '../pickers/publish-status.ts'
import { RequestsSeries } from '../pickers/RequestsSeries.tsx'
import { SiteAccess } from '../pickers/SiteAccess.tsx'

export function OverviewScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  const format = useFormat()
  const places = usePlaces()
  const navigate = useNavigate()
  const may = useMay()
  const site = useCall(sites.get, { siteId }).data
  const list = useCall(domains.list, { siteId, query: { page: 1, pageSize: 25 } }).data
  const status = usePublishStatus(siteId)
  const remove = useChange(sites.remove, sites.listOwn, sites.meta, sites.resourceInfo)
  if (!site) return null
  const hasDomain = site.domainCount > 0
  async function removeSite(siteName: string) {
    await remove.mutateAsync({ body: { siteID: siteId, siteName } })
    toasts.done(t('removed'))
    await navigate({ to: places.sites })
  }
  return (
    <>
      <PageHead title={site.siteName}>
        {places.tier === 'user' && may('sites.remove') && (
          <ConfirmButton
            label={t('remove.label')}
            title={t('remove.title', { name: site.siteName })}
            consequence={t('remove.text')}
            confirmLabel={t('remove.label')}
            typed={site.siteName}
            onConfirm={() => removeSite(site.siteName)}
          />
        )}
      </PageHead>
      {!hasDomain && (
        <Panel className="mb-3 py-8 text-center">
          <Empty
            title={t('overview.noDomain')}
            action={
              places.tier === 'user' && (
                <Link
                  to={places.newSite}
                  search={{ site: siteId }}
                  className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
                >
                  {t('overview.finish')}
                </Link>
              )
            }
          />
        </Panel>
      )}
      <div className="grid gap-3 lg:grid-cols-[2fr_1fr]">
        <Panel
          title={t('overview.requests')}
          aside={
            <Link to={places.statistics} search={{ site: siteId }} className="text-xs">
              {t('overview.more')}
            </Link>
          }
        >
          <RequestsSeries siteIds={[siteId]} label={t('overview.requests')} />
        </Panel>
        <Panel title={t('overview.publish')}>
          {status && (
            <div className="mb-3">
              <ApplyProgress progress={status} detailed />
            </div>
          )}
          <Facts>
            <Fact name={t('revision')}>
              <span className="num">{status?.revision ?? site.revision}</span>
            </Fact>
            {status && <Fact name={t('overview.saved')}>{format.moment(status.savedAt)}</Fact>}
            <Fact name={t('overview.zone')}>{site.zoneName}</Fact>
            <Fact name={t('product')}>{site.productName}</Fact>
            {site.tags.length > 0 && (
              <Fact name={t('tags')}>
                <Tags values={site.tags} />
              </Fact>
            )}
            <Fact name={t('domains')}>
              <Link to={places.site(siteId, site.siteName)} search={{ tab: 'domains' }} className="text-accent">
                {(list?.data ?? [])
                  .slice(0, 3)
                  .map(({ name }) => name)
                  .join(', ') || '0'}
                {site.domainCount > 3 && ` +${site.domainCount - 3}`}
              </Link>
            </Fact>
          </Facts>
        </Panel>
      </div>
      {list?.data[0] && <StillToDo siteId={siteId} domain={list.data[0]} />}
      <div className="mt-3">
        <SiteAccess site={site} domain={list?.data[0]} />
      </div>
    </>
  )
}

const Seen = z.object({ isHidden: z.boolean().catch(false) })

/** The check list of a site's first days. It goes when all of it is done, or is hidden by who points DNS elsewhere. */
function StillToDo({ siteId, domain }: { siteId: number; domain: Domain }) {
  const t = usePhrases('sites')
  const [{ isHidden }, keep] = useRemembered(`golive.${siteId}`, Seen)
  const dns = useDomainDns(siteId, isHidden ? undefined : domain.id)
  const isDone = dns?.state === 'pointing' && domain.ownership.state !== 'pending'
  if (isHidden || !dns || isDone) return null
  return (
    <div className="mt-3">
      <GoLive
        siteId={siteId}
        domain={domain}
        aside={
          <Button size="sm" look="ghost" onClick={() => keep({ isHidden: true })}>
            {t('golive.hide')}
          </Button>
        }
      />
    </div>
  )
}
