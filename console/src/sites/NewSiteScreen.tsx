/**
 * From a domain to a live site: its origin is detected, then its DNS is pointed here. Can be left and resumed later.
 */
import { DomainPattern } from '@breakwater/contract/domain-name.ts'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { Name } from '@breakwater/contract/fields.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useEffect, useRef } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { Button, buttonClass } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { Steps } from '../kit/Steps.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { GoLive } from '../pickers/GoLive.tsx'
import { OriginField, useSettled } from '../pickers/OriginField.tsx'
import { formatOrigin, parseOrigin } from '../pickers/origin-address.ts'
import { usePublishStatus } from '../pickers/publish-status.ts'
import { SiteAccess } from '../pickers/SiteAccess.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useSearchState } from '../platform/search-state.ts'

const Search = z.object({ site: z.number().optional().catch(undefined) })

export function NewSiteScreen() {
  const t = usePhrases('sites')
  const [{ site: siteId }, go] = useSearchState(Search)
  const site = useCall(sites.get, { siteId: siteId ?? 0 }, { enabled: siteId !== undefined })
  const isMade = (site.data?.domainCount ?? 0) > 0
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('new')} />
      <Steps names={[t('new.step.origin'), t('new.step.live')]} at={isMade ? 1 : 0} />
      {isMade && siteId !== undefined ? (
        <LiveStep siteId={siteId} />
      ) : (
        (siteId === undefined || site.data) && (
          <DomainStep begun={siteId} name={site.data?.siteName} onMade={(id) => go({ site: id }, { replace: true })} />
        )
      )}
    </div>
  )
}

const Schema = z.object({
  domain: DomainPattern,
  origin: z
    .string()
    .min(1, 'required')
    .refine((text) => parseOrigin(text) !== undefined, 'wrongFormat'),
  // If left empty, or submitted before a suggestion arrived, the site is named after its domain.
  siteName: Name.or(z.literal('')),
})
const Fields = fieldsOf(Schema)

const nameFor = (domain: string): string => domain.replace(/^(\*|www)\./, '')
const names: Record<string, string> = { name: 'domain', siteName: 'siteName' }

type DomainStepProps = {
  /** A site that was created but has no domain yet. */
  begun: number | undefined
  name: string | undefined
  onMade: (siteId: number) => void
}

/**
 * A single field is enough: the origin is detected from the domain's current DNS, and a name is suggested. Both can be
 * changed.
 */
function DomainStep({ begun, name, onMade }: DomainStepProps) {
  const t = usePhrases('sites')
  const places = usePlaces()
  const made = useRef(begun)
  const createSite = useChange(sites.create, sites.listOwn, sites.meta, sites.resourceInfo)
  const createDomain = useChange(domains.create, domains.list, sites.get, sites.listOwn, sites.resourceInfo)
  const form = useResourceForm(Schema, {
    values: { domain: '', origin: '', siteName: name ?? '' },
    async save({ domain, origin, siteName }) {
      // If the domain is rejected, the site remains: the next attempt uses the same one.
      made.current ??= (await createSite.mutateAsync({ body: { siteName: siteName || nameFor(domain) } })).siteID
      const siteId = made.current
      await createDomain.mutateAsync({
        siteId,
        body: { domains: [{ name: domain, upstreams: [parseOrigin(origin)!] }] },
      })
      return siteId
    },
    done: t('new.added'),
    beyondTab: true,
    onSaved: onMade,
    fieldOf: (field) => {
      const own = field.replace('domains.0.', '')
      return field.includes('upstreams') ? 'origin' : (names[own] ?? own)
    },
  })
  return (
    <Panel className="max-w-[520px]">
      <Form form={form}>
        <Fields.Text
          name="domain"
          label={t('new.domain')}
          help={t('new.domain.help')}
          placeholder="www.example.com"
          mono
          autoFocus
        />
        <FoundOrigin />
        {begun === undefined && <Fields.Text name="siteName" label={t('name')} help={t('new.name.help')} />}
        <Button look="solid" type="submit" busy={form.busy}>
          {t('new.publish')}
        </Button>
      </Form>
      {begun === undefined && (
        <p className="mt-4 border-line border-t pt-3 text-xs">
          <Link to={places.importSites}>{t('new.import')}</Link>
        </p>
      )}
    </Panel>
  )
}

/** Fills in origin and name for the domain above, unless they were typed. */
function FoundOrigin() {
  const t = usePhrases('sites')
  const { setValue, getValues, getFieldState } = useFormContext()
  const typed: unknown = useWatch({ name: 'domain' })
  const domain = useSettled(typeof typed === 'string' ? typed : '')
  const known = DomainPattern.safeParse(domain)
  const call = useCall(domains.findOrigin, { body: { domain } }, { enabled: known.success })
  const found = known.success ? call.data?.origin : undefined
  const text = found ? formatOrigin(found) : ''
  const name = known.success ? nameFor(known.data) : ''
  const suggested = useRef({ origin: '', siteName: '' })
  useEffect(() => {
    for (const [field, value] of [
      ['origin', text],
      ['siteName', name],
    ] as const) {
      const now = getValues(field)
      // Typed values stay; a suggestion is replaced by the next one.
      if (value === '' || (now !== '' && now !== suggested.current[field])) continue
      suggested.current[field] = value
      setValue(field, value, { shouldDirty: true, shouldValidate: getFieldState(field).isTouched })
    }
  }, [text, name, setValue, getValues, getFieldState])
  const host = known.success ? known.data.replace(/^\*\./, 'www.') : ''
  return (
    <>
      <OriginField name="origin" hostHeader={host} />
      {/* Its space is reserved, so that a button does not move from under the pointer. */}
      <p role="status" className="-mt-1 mb-3 min-h-5 text-ink-3 text-xs">
        {known.success &&
          (call.isFetching
            ? t('new.finding')
            : call.data && t(found ? 'new.found' : 'new.notFound', { domain: known.data }))}
      </p>
    </>
  )
}

function LiveStep({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  const places = usePlaces()
  const site = useCall(sites.get, { siteId }).data
  const all = useCall(domains.list, { siteId, query: { page: 1, pageSize: 100 } }).data?.data
  const status = usePublishStatus(siteId)
  if (!site) return null
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3 rounded-panel border border-line bg-surface px-4 py-3.5">
        <div>
          <p className="font-semibold">{t('new.live.title', { site: site.siteName })}</p>
          <p className="text-ink-2">{t('new.live.text')}</p>
        </div>
        {status && <ApplyProgress progress={status} detailed />}
      </div>
      {all && all.length > 0 && (
        <div className="mb-3">
          <GoLive site={site} all={all} />
        </div>
      )}
      <SiteAccess site={site} domain={all?.[0]} />
      <div className="mt-4">
        <Link
          to={places.site(siteId, site.siteName)}
          className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
        >
          {t('new.open')}
        </Link>
      </div>
    </>
  )
}
