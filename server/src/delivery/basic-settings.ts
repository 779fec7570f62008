/** The basic settings of a site. Fields that belong to another group are read from and written to that group. */
import { basicSettings } from '@breakwater/contract/delivery/basic-settings.ts'
import { compression } from '@breakwater/contract/delivery/compression.ts'
import { type OriginTimeouts, originTimeouts } from '@breakwater/contract/delivery/origin-timeouts.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { asSystem, type Database } from '../db/database.ts'
import { dnsTargetOf } from '../domains/dns-target.ts'
import { fieldFault } from '../http/fault.ts'
import type { Feature } from '../http/implement.ts'
import { settingsOfZones } from '../node-configuration/settings-of-zones.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { SitePart } from '../publish/part.ts'
import { gatherSites } from '../publish/site-part.ts'
import { implementSettings } from '../settings/implement-settings.ts'
import { requireForCalls } from './grpc.ts'

/**
 * `http2` and `http3` are absent for true, and `grpc` for false, as in documents from before these settings existed.
 */
const Saved = z.object({
  websocket: z.boolean(),
  maxBodySize: z.number(),
  http2: z.literal(false).optional(),
  http3: z.literal(false).optional(),
  grpc: z.literal(true).optional(),
})
type Saved = z.output<typeof Saved>

const none: Saved = { websocket: true, maxBodySize: 0 }
const key = basicSettings.name

export const basicSettingsPart: SitePart<Saved> = {
  owner: 'site',
  name: `settings/${key}`,
  schema: Saved,
  gather: gatherSites,
  empty: none,
  items: (value) => [[`settings/${key}`, value]],
  restore: (db, site, value) => save(db, site.id, value === none ? {} : { [key]: value }, value === none ? [key] : []),
  render: ({ websocket, maxBodySize, http2, http3, grpc }, out) =>
    out.set('settings', {
      bodyBytesMax: maxBodySize,
      ...(!websocket && { websocket: false }),
      ...(http2 === false && { http2 }),
      ...(http3 === false && { http3 }),
      ...(grpc && { grpc }),
    }),
  requires: ({ http2, grpc }) => [
    ...(http2 === false ? (['siteHttp2'] as const) : []),
    ...(grpc ? (['grpc'] as const) : []),
  ],
}

/** Merges groups into a site's settings and removes some. */
async function save(db: Database, siteId: number, groups: Record<string, object>, forgotten: string[] = []) {
  await db
    .updateTable('sites')
    .set({ settings: sql<string>`(settings - ${forgotten}::text[]) || ${JSON.stringify(groups)}::jsonb` })
    .where('id', '=', siteId)
    .execute()
}

async function settingsOf(db: Database, siteId: number) {
  const { settings } = await db
    .selectFrom('sites')
    .select('settings')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow()
  return {
    basic: (settings[key] as Saved | undefined) ?? none,
    timeouts: (settings[originTimeouts.name] as OriginTimeouts | undefined) ?? originTimeouts.defaults,
    compression: (settings[compression.name] as typeof compression.defaults | undefined) ?? compression.defaults,
  }
}

/** The protocols of the zone that serves a site. A site without a zone gets the defaults of a new zone. */
async function protocolsOf(db: Database, zoneId = 0) {
  const { http2, http3 } = (await asSystem(db, (tx) => settingsOfZones(tx, [zoneId])))(zoneId)
  return { zoneHttp2: http2, zoneHttp3: http3 }
}

export function basicSettingsFeature({ env, publisher }: Pick<Services, 'env' | 'publisher'>): Feature {
  return implementSettings('site', basicSettings.calls, {
    async get({ db, siteId }) {
      const site = await requireSite(db, siteId)
      const { basic, timeouts, compression: compressed } = await settingsOf(db, site.id)
      const { cname, zoneId } = await dnsTargetOf(db, site, env.edgeDomain)
      return {
        siteID: site.id,
        siteName: site.name,
        ...(await protocolsOf(db, zoneId)),
        http2: true,
        http3: true,
        grpc: false,
        ...basic,
        gzip: compressed.enable,
        timeout: timeouts.firstByte,
        cname,
      }
    },

    async update(call) {
      const { websocket, maxBodySize, timeout, http2, http3, grpc } = call.body
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const { basic, timeouts } = await settingsOf(db, site.id)
        const hasHttp3 = http3 ?? basic.http3 ?? true
        const hasHttp2 = http2 ?? basic.http2 ?? true
        const hasGrpc = grpc ?? basic.grpc ?? false
        if (hasGrpc && !hasHttp2) throw fieldFault(http2 === false ? 'http2' : 'grpc', 'grpcNeedsHttp2')
        if (hasGrpc) await requireForCalls(db, site.id)
        const isSame = timeouts.firstByte === timeout
        await save(db, site.id, {
          [key]: {
            websocket,
            maxBodySize,
            ...(!hasHttp2 && { http2: false }),
            ...(!hasHttp3 && { http3: false }),
            ...(hasGrpc && { grpc: true }),
          },
          ...(!isSame && { [originTimeouts.name]: { ...timeouts, firstByte: timeout } }),
        })
      })
    },

    async remove(call) {
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const { timeouts } = await settingsOf(db, site.id)
        const { firstByte } = originTimeouts.defaults
        const isSame = timeouts.firstByte === firstByte
        await save(db, site.id, isSame ? {} : { [originTimeouts.name]: { ...timeouts, firstByte } }, [key])
      })
    },
  })
}
