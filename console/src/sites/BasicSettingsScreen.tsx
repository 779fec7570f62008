/** The basic settings of a site. */
import { BasicSettings, basicSettings } from '@breakwater/contract/delivery/basic-settings.ts'
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import { z } from 'zod'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const shown = z.object({ ...BasicSettings.shape, http2: z.boolean(), http3: z.boolean(), grpc: z.boolean() })
const Field = fieldsOf(shown)

const { http2, http3, websocket, grpc, timeout, maxBodySize } = basicSettings.defaults
/** The group as this panel edits it: the site's name and fields that others set are not sent. */
const group = {
  ...basicSettings,
  schema: shown,
  defaults: { http2, http3, websocket, grpc, timeout, maxBodySize },
} as unknown as SettingsGroup<'site', typeof shown, z.output<typeof shown>>

export function BasicSettingsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  return (
    <>
      <PageHead title={t('basic.title')} />
      <SiteSettings group={group} siteId={siteId} title={t('basic.title')} help={t('basic.help')} can="sites.write">
        {({ zoneHttp2, zoneHttp3 }) => (
          <>
            <Field.Switch
              name="http2"
              label={t('basic.http2')}
              help={t(zoneHttp2 === false ? 'basic.http2.zoneOff' : 'basic.http2.help')}
            />
            <Field.Switch
              name="http3"
              label={t('basic.http3')}
              help={t(zoneHttp3 === true ? 'basic.http3.help' : 'basic.http3.zoneOff')}
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
