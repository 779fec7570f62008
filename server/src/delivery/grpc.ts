/**
 * Which settings of a site are compatible with gRPC: nodes either verify its origins with public authorities or not at
 * all.
 */
import { basicSettings } from '@breakwater/contract/delivery/basic-settings.ts'
import { originCertificate } from '@breakwater/contract/delivery/origin-certificate.ts'
import { type OriginTls, originTls } from '@breakwater/contract/delivery/origin-tls.ts'
import type { Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'

async function settingsOf(db: Database, siteId: number): Promise<Record<string, unknown>> {
  const row = await db.selectFrom('sites').select('settings').where('id', '=', siteId).executeTakeFirstOrThrow()
  return row.settings as Record<string, unknown>
}

/** Whether origins with these settings can be verified in a gRPC call. */
export const isForCalls = ({ verify }: Pick<OriginTls, 'verify'>): boolean => verify === 'off' || verify === 'system'

/** Throws a Fault on `grpc` if the site’s other settings are incompatible with it. */
export async function requireForCalls(db: Database, siteId: number): Promise<void> {
  const settings = await settingsOf(db, siteId)
  const tls = (settings[originTls.name] as OriginTls | undefined) ?? originTls.defaults
  const shown = settings[originCertificate.name] as { version: number } | undefined
  if (!isForCalls(tls) || (shown?.version ?? 0) > 0) throw fieldFault('grpc', 'grpcUnverified')
}

/** Throws a Fault on `field`, which is incompatible with gRPC, if the site has gRPC enabled. */
export async function requireNoCalls(db: Database, siteId: number, field: string): Promise<void> {
  const basic = (await settingsOf(db, siteId))[basicSettings.name] as { grpc?: true } | undefined
  if (basic?.grpc === true) throw fieldFault(field, 'grpcUnverified')
}
