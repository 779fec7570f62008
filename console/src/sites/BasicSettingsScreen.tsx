/** The basic settings of a site. */
import { BasicSettings, basicSettings } from '@breakwater/contract/delivery/basic-settings.ts'
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import { z } from 'zod'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

/** What is asked here; no node speaks HTTP/3. */
const { http3: _, ...shape } = BasicSettings.shape
const shown = z.object({ ...shape, http2: z.boolean(), grpc: z.boolean() })
const Field = fieldsOf(shown)

const { http2, websocket, grpc, timeout, maxBodySize } = basicSettings.defaults
/** The group as this panel has it: what the site is called, and what others set, is left out of what is sent. */
const group = {
  ...basicSettings,
  schema: shown,
  defaults: { http2, websocket, grpc, timeout, maxBodySize },
} as unknown as SettingsGroup<'site', typeof shown, z.output<typeof shown>>

export function BasicSettingsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  return (
    <>
      <PageHead title={t('basic.title')} />
      <SiteSettings group={group} siteId={siteId} title={t('basic.title')} help={t('basic.help')} can="sites.write">
        {({ zoneHttp2 }) => (
          <>
            <Field.Switch
              name="http2"
              label={t('basic.http2')}
              help={t(zoneHttp2 === false ? 'basic.http2.zoneOff' : 'basic.http2.help')}
            />
            <Field.Switch name="websocket" label={t('basic.websocket')} help={t('basic.websocket.help')} />
            <Field.Switch name="grpc" label={t('basic.grpc')} help={t('basic.grpc.help')} />
            <Field.Number
              name="timeout"
              label={t('basic.timeout')}
              help={t('basic.timeout.help')}
              unit={t('basic.seconds')}
            />
            <Field.Number
              name="maxBodySize"
              label={t('basic.maxBodySize')}
              help={t('basic.maxBodySize.help')}
              unit={t('basic.bytes')}
            />
          </>
        )}
      </SiteSettings>
    </>
  )
}
