/** Which responses of a site the edge compresses. */
import { Compression, compression } from '@breakwater/contract/delivery/compression.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(Compression)

export function CompressionPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  return (
    <SiteSettings
      group={compression}
      siteId={siteId}
      title={t('gzip')}
      help={t('gzip.help')}
      done={t('gzip.done')}
      can="cache.write"
    >
      <Field.Switch name="enable" label={t('gzip.enable')} />
      <Field.Tags name="types" label={t('gzip.types')} help={t('gzip.typesHelp')} max={50} />
      <Field.Number name="minLength" label={t('gzip.minLength')} unit={t('gzip.bytes')} />
      <Field.Number name="level" label={t('gzip.level')} help={t('gzip.levelHelp')} />
    </SiteSettings>
  )
}
