/** A site at a glance: its requests, the progress of its settings, how to reach it, its domains. */
import { type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import { type SiteDetail, sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { Button, buttonClass } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Link } from '../kit/Link.tsx'
import { later } from '../kit/later.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'
import { useDomainDns } from '../pickers/DnsRecords.tsx'
import { GoLive } from '../pickers/GoLive.tsx'
import { usePublishStatus } from '../pickers/publish-status.ts'
import { RequestsSeries } from '../pickers/RequestsSeries.tsx'
import { SiteAccess } from '../pickers/SiteAccess.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useRemembered } from '../platform/remembered.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const RenameButton = later(() => import('./RenameButton.tsx').then((file) => file.RenameButton))
const StatusButton = later(() => import('./StatusButton.tsx').then((file) => file.StatusButton))

export function OverviewScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  const format = useFormat()
  const places = usePlaces()
  const navigate = useNavigate()
  const may = useMay()
  const site = useCall(sites.get, { siteId }).data
  const list = useCall(domains.list, { siteId, query: { page: 1, pageSize: 100 } }).data
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
        <Actions site={site} />
        {places.tier === 'client' && may('sites.write') && (
          <>
            <RenameButton site={site} />
            <StatusButton site={site} />
          </>
        )}
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
            <Link to={places.site(siteId, site.siteName)} search={{ tab: 'traffic' }} className="text-xs">
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
            {places.tier === 'client' && <Fact name={t('customer')}>{site.user.name}</Fact>}
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
      {list && <StillToDo site={site} all={list.data} />}
      <div className="mt-3">
        <SiteAccess site={site} domain={list?.data[0]} />
      </div>
    </>
  )
}

/** The most common actions. */
function Actions({ site }: { site: SiteDetail }) {
  const t = usePhrases('sites')
  const places = usePlaces()
  const may = useMay()
  const here = places.site(site.siteID, site.siteName)
  const look = buttonClass({ look: 'line' }, 'hover:no-underline')
  return (
    <>
      {may('cache.purge') && (
        <Link to={here} search={{ tab: 'cache', purge: 'open' }} className={look}>
          {t('do.purge')}
        </Link>
      )}
      {may('domains.write') && (
        <Link to={here} search={{ tab: 'domains', edit: 'new' }} className={look}>
          {t('do.domain')}
        </Link>
      )}
      {may('firewall.write') && (
        <Link to={here} search={{ tab: 'denyList', edit: 'new' }} className={look}>
          {t('do.deny')}
        </Link>
      )}
    </>
  )
}

const Seen = z.object({ isHidden: z.boolean().catch(false) })

/**
 * The checklist for a new site. It disappears once everything is done, or when hidden by users who point their DNS
 * elsewhere.
 */
function StillToDo({ site, all }: { site: SiteDetail; all: readonly Domain[] }) {
  const t = usePhrases('sites')
  const [{ isHidden }, keep] = useRemembered(`golive.${site.siteID}`, Seen)
  // Once all are proven, the first domain stands for all: usually the same person points them here.
  const waiting = all.filter(({ ownership }) => ownership.state === 'pending')
  const first = waiting[0] ?? all[0]
  const dns = useDomainDns(site.siteID, isHidden ? undefined : first?.id)
  const isDone = waiting.length === 0 && dns?.state === 'pointing'
  if (isHidden || !dns || isDone) return null
  return (
    <div className="mt-3">
      <GoLive
        site={site}
        all={all}
        aside={
          <Button size="sm" look="ghost" onClick={() => keep({ isHidden: true })}>
            {t('golive.hide')}
          </Button>
        }
      />
    </div>
  )
}
