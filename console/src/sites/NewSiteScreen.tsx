/** From a name to a site that is live: name, then domain and origin, then where to point DNS. Can be left and taken up again. */
import { DomainPattern } from '@breakwater/contract/domain-name.ts'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { Name } from '@breakwater/contract/fields.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { useCall, useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { useSearchState } from '../app/search-state.ts'
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
import { OriginField } from '../pickers/OriginField.tsx'
import { parseOrigin } from '../pickers/origin-address.ts'
import { usePublishStatus } from '../pickers/publish-status.ts'
import { SiteAccess } from '../pickers/SiteAccess.tsx'

const Search = z.object({ site: z.number().optional().catch(undefined) })

export function NewSiteScreen() {
  const t = usePhrases('sites')
  const [{ site: siteId }, go] = useSearchState(Search)
  const site = useCall(sites.get, { siteId: siteId ?? 0 }, { enabled: siteId !== undefined })
  const step = siteId === undefined ? 0 : (site.data?.domainCount ?? 0) === 0 ? 1 : 2
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('new')} />
      <Steps names={[t('new.step.name'), t('new.step.origin'), t('new.step.live')]} at={step} />
      {siteId === undefined ? (
        <NameStep onMade={(id) => go({ site: id }, { replace: true })} />
      ) : step === 1 ? (
        site.data && <OriginStep siteId={siteId} />
      ) : (
        <LiveStep siteId={siteId} />
      )}
    </div>
  )
}

const NameSchema = z.object({ siteName: Name })
const NameField = fieldsOf(NameSchema)

function NameStep({ onMade }: { onMade: (siteId: number) => void }) {
  const t = usePhrases('sites')
  const create = useChange(sites.create, sites.listOwn, sites.meta, sites.resourceInfo)
  const form = useResourceForm(NameSchema, {
    values: { siteName: '' },
    save: (body) => create.mutateAsync({ body }),
    onSaved: ({ siteID }) => onMade(siteID),
  })
  return (
    <Panel className="max-w-[520px]">
      <Form form={form}>
        <NameField.Text name="siteName" label={t('name')} help={t('new.name.help')} autoFocus />
        <Button look="solid" type="submit" busy={form.busy}>
          {t('new.continue')}
        </Button>
      </Form>
    </Panel>
  )
}

const OriginSchema = z.object({
  name: DomainPattern,
  origin: z
    .string()
    .min(1, 'required')
    .refine((text) => parseOrigin(text) !== undefined, 'wrongFormat'),
})
const OriginFields = fieldsOf(OriginSchema)

function OriginStep({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  const create = useChange(domains.create, domains.list, sites.get, sites.listOwn, sites.resourceInfo)
  const form = useResourceForm(OriginSchema, {
    values: { name: '', origin: '' },
    save: ({ name, origin }) =>
      create.mutateAsync({ siteId, body: { domains: [{ name, upstreams: [parseOrigin(origin)!] }] } }),
    done: t('new.added'),
    beyondTab: true,
    fieldOf: (field) => (field.includes('upstreams') ? 'origin' : field.replace('domains.0.', '')),
  })
  return (
    <Panel className="max-w-[520px]">
      <Form form={form}>
        <OriginFields.Text
          name="name"
          label={t('new.domain')}
          help={t('new.domain.help')}
          placeholder="www.example.com"
          mono
          autoFocus
        />
        <ProbedOrigin siteId={siteId} />
        <Button look="solid" type="submit" busy={form.busy}>
          {t('new.publish')}
        </Button>
      </Form>
    </Panel>
  )
}

/** The origin is asked for the domain that is typed above it, as the edge will ask. */
function ProbedOrigin({ siteId }: { siteId: number }) {
  const name: unknown = useWatch({ name: 'name' })
  const hostHeader = typeof name === 'string' && !name.includes('*') ? name.trim() : ''
  return <OriginField name="origin" siteId={siteId} hostHeader={/^[\w.-]+$/.test(hostHeader) ? hostHeader : ''} />
}

function LiveStep({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  const places = usePlaces()
  const site = useCall(sites.get, { siteId }).data
  const first = useCall(domains.list, { siteId, query: { page: 1, pageSize: 25 } }).data?.data[0]
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
      {first && (
        <div className="mb-3">
          <GoLive siteId={siteId} domain={first} />
        </div>
      )}
      <SiteAccess site={site} domain={first} />
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
