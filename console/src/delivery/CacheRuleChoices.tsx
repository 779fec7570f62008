/**
 * The effect of a cache rule: how long, for whom, under which cache key. Rarely used fields are collapsed until one is
 * changed.
 */
import { CacheRule } from '@breakwater/contract/delivery/cache-rules.ts'
import { type ReactNode, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { usePhrases } from '../platform/phrases.ts'
import { StatusTimes } from './StatusTimes.tsx'

const Field = fieldsOf(CacheRule)
const namesMax = 20
const keyPartsMax = 10
const queryNamesMax = 50

export function CacheRuleChoices() {
  const t = usePhrases('delivery')
  return (
    <>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Field.Number name="ttl" label={t('ttl')} help={t('ttl.help')} unit={t('ttl.unit')} />
        <TimeOrOrigins name="browserTtl" />
      </div>
      <Field.Select
        name="origin"
        label={t('origin')}
        help={t('origin.help')}
        options={(['override', 'respect'] as const).map((value) => ({ value, label: t(`origin.${value}`) }))}
      />
      <Field.Switch name="forSignedIn" label={t('forSignedIn')} help={t('forSignedIn.help')} />
      <Field.Switch name="slice" label={t('slice')} help={t('slice.help')} />
      <Folded title={t('key')} fields={['ignoreQuery', 'query', 'keyHeaders', 'keyCookies', 'keyDevice']}>
        <Query />
        <Field.Tags name="keyHeaders" label={t('keyHeaders')} max={keyPartsMax} placeholder="Accept-Language" />
        <Field.Tags
          name="keyCookies"
          label={t('keyCookies')}
          help={t('keyCookies.help')}
          max={keyPartsMax}
          placeholder="currency"
        />
        <Field.Switch name="keyDevice" label={t('keyDevice')} help={t('keyDevice.help')} />
      </Folded>
      <Folded title={t('around')} fields={['bypassCookies', 'bypassHeaders', 'bypassQuery']}>
        <p className="mb-3 text-ink-2">{t('around.help')}</p>
        <Field.Tags
          name="bypassCookies"
          label={t('bypassCookies')}
          max={namesMax}
          placeholder="wordpress_logged_in_*"
        />
        <Field.Tags name="bypassHeaders" label={t('bypassHeaders')} max={namesMax} placeholder="X-Preview" />
        <Field.Tags name="bypassQuery" label={t('bypassQuery')} max={namesMax} placeholder="preview" />
      </Folded>
      <Folded title={t('ended')} fields={['staleWhileRevalidate', 'staleIfError']}>
        <div className="grid gap-x-3 sm:grid-cols-2">
          <TimeOrOrigins name="staleWhileRevalidate" />
          <TimeOrOrigins name="staleIfError" />
        </div>
      </Folded>
      <Folded title={t('which')} fields={['statuses', 'methods']}>
        <StatusTimes />
        <Field.Many
          name="methods"
          label={t('methods')}
          help={t('methods.help')}
          options={(['GET', 'HEAD'] as const).map((value) => ({ value, label: value }))}
        />
      </Folded>
    </>
  )
}

/** Seconds, or null if the origin's headers decide. */
function TimeOrOrigins({ name }: { name: 'browserTtl' | 'staleWhileRevalidate' | 'staleIfError' }) {
  const t = usePhrases('delivery')
  return (
    <Field.OptionalNumber
      name={name}
      label={t(name)}
      help={t(`${name}.help`)}
      unit={t('ttl.unit')}
      placeholder={t('byOrigin')}
    />
  )
}

const usual = CacheRule.parse({ type: 'path', ttl: 0 }) as Record<string, unknown>

/** Expanded initially if one of its fields differs from the default. */
function Folded({ title, fields, children }: { title: string; fields: readonly string[]; children: ReactNode }) {
  const { getValues } = useFormContext()
  const [isOpen] = useState(() =>
    fields.some((name) => JSON.stringify(getValues(name)) !== JSON.stringify(usual[name])),
  )
  return (
    <details open={isOpen} className="mb-3 rounded-panel border border-line px-3">
      <summary className="-mx-3 cursor-pointer rounded-panel px-3 py-2 font-medium hover:bg-sunken">{title}</summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}

/** The whole query string, or which of its parameters count. */
function Query() {
  const t = usePhrases('delivery')
  const ignoreQuery = useWatch({ name: 'ignoreQuery' }) as boolean
  const query = useWatch({ name: 'query' }) as CacheRule['query']
  return (
    <>
      <Field.Switch name="ignoreQuery" label={t('ignoreQuery')} />
      {!ignoreQuery && (
        <Field.Select
          name="query"
          label={t('query')}
          options={(['all', 'only', 'except'] as const).map((value) => ({ value, label: t(`query.${value}`) }))}
        />
      )}
      {!ignoreQuery && query !== 'all' && (
        <Field.Tags
          name="queryNames"
          label={t('queryNames')}
          help={t('queryNames.help')}
          max={queryNamesMax}
          placeholder={query === 'only' ? 'page' : 'utm_*'}
        />
      )}
    </>
  )
}
