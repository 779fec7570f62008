/** How the edge normalizes paths, and which request headers are part of the cache key. */
import {
  ambiguousPathPolicies,
  backslashPolicies,
  RequestHandling,
  requestHandling,
} from '@breakwater/contract/delivery/request-handling.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(RequestHandling)

export function RequestHandlingPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  return (
    <SiteSettings
      group={requestHandling}
      siteId={siteId}
      title={t('requests')}
      help={t('requests.help')}
      can="cache.write"
    >
      <Field.Select
        name="ambiguousPaths"
        label={t('requests.ambiguousPaths')}
        help={t('requests.ambiguousPathsHelp')}
        options={ambiguousPathPolicies.map((value) => ({ value, label: t(`requests.ambiguousPaths.${value}`) }))}
      />
      <Field.Select
        name="backslashes"
        label={t('requests.backslashes')}
        help={t('requests.backslashesHelp')}
        options={backslashPolicies.map((value) => ({ value, label: t(`requests.backslashes.${value}`) }))}
      />
      <Field.Tags
        name="keyedHeaders"
        label={t('requests.keyedHeaders')}
        help={t('requests.keyedHeadersHelp')}
        max={10}
        placeholder="X-Forwarded-Prefix"
      />
    </SiteSettings>
  )
}
