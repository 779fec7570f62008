/** The operator's DNS provider: its settings with the secret sealed, a test of them, and the provider itself. */
import {
  type DnsSettings,
  DnsSettings as DnsSettingsSchema,
  dnsSettings,
  dnsTest,
} from '@breakwater/contract/dns/dns-settings.ts'
import { z } from 'zod'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { OutboundGuard } from '../outbound/guard.ts'
import type { Services } from '../process/services.ts'
import type { Vault } from '../secrets/vault.ts'
import { operatorOf } from '../settings/operator-of.ts'
import { readSettings, settingsFeature } from '../settings/owned-settings.ts'
import { type StoredSecret, sealSecret, secretFor, secretOnTheWay } from '../settings/sent-secret.ts'
import { DnsError, type DnsProvider } from './provider.ts'
import { rfc2136 } from './rfc2136.ts'

/** `secret` is sealed, in base64; null if there is none. */
const Saved = z.object({ ...DnsSettingsSchema.shape, secret: z.string().nullable() })
type Saved = z.output<typeof Saved>

const none: Saved = { dnsType: '', domain: '', account: '', key: '', secret: null }

/** The context for which the secret of an operator's DNS provider is sealed. */
export const dnsContext = (operatorId: number): string => `dns settings/${operatorId}`

/** What a secret is bound to: the server, the key it belongs to, and the zone. */
const destinationOf = ({ dnsType, domain, account, key }: Pick<Saved, 'dnsType' | 'domain' | 'account' | 'key'>) => ({
  ...{ dnsType, domain, account, key },
})

const stored = (operatorId: number, saved: Saved): StoredSecret => ({
  sealed: saved.secret === null ? null : Buffer.from(saved.secret, 'base64'),
  context: dnsContext(operatorId),
  destination: destinationOf(saved),
})

const read = (db: Database, operatorId: number) => readSettings(db, 'operator', operatorId, dnsSettings.name, Saved)

/** The secret that was entered, or the stored one if the server is unchanged. Throws if a provider has none. */
function typedSecret(vault: Vault, operatorId: number, typed: DnsSettings, before: Saved | undefined) {
  if (typed.dnsType === '') return undefined
  const use = { destination: destinationOf(typed), given: typed.secret || undefined, field: 'secret' }
  const secret = secretFor(vault, before && stored(operatorId, before), use)
  if (secret === undefined) throw fieldFault('secret', 'required')
  return secret
}

const providerFrom = (guard: OutboundGuard, { domain, account, key }: Omit<DnsSettings, 'secret'>, secret: string) =>
  rfc2136(guard, { zone: domain.toLowerCase(), server: account, key: { name: key, secret } })

/** The DNS provider of an operator; undefined if it has none. Runs as the system. */
export async function providerOf(
  db: Database,
  { vault, guard }: Pick<Services, 'vault' | 'guard'>,
  operatorId: number,
): Promise<DnsProvider | undefined> {
  const saved = await read(db, operatorId)
  if (!saved || saved.dnsType === '') return undefined
  const secret = secretOnTheWay(vault, stored(operatorId, saved), destinationOf(saved))
  return secret === undefined ? undefined : providerFrom(guard, saved, secret)
}

/** The zone in which a tenant's operator writes records; empty if it has none. */
export function dnsZoneOf(db: Database, tenantId: number): Promise<string> {
  return asSystem(db, async (tx) => {
    const saved = await read(tx, await operatorOf(tx, tenantId))
    return saved?.domain.toLowerCase() ?? ''
  })
}

/** The operator's kind of DNS provider, for its accounts; empty if there is none. Runs as the caller. */
export const dnsTypeOf = async (db: Database, operatorId: number): Promise<string> =>
  (await read(db, operatorId))?.dnsType ?? ''

/** Without a provider the other fields are meaningless, and not saved. */
const emptied = ({ dnsType, ...rest }: Omit<DnsSettings, 'secret'>): Omit<Saved, 'secret'> =>
  dnsType === '' ? { dnsType: '', domain: '', account: '', key: '' } : { dnsType, ...rest }

export function dnsSettingsFeature(services: Services): Feature {
  const settings = settingsFeature(services, dnsSettings, {
    saved: Saved,
    none,
    save({ vault }, _db, { tenantId }, body, before) {
      const { secret: _, ...rest } = body
      const sealed = sealSecret(vault, dnsContext(tenantId), typedSecret(vault, tenantId, body, before))
      return { ...emptied(rest), secret: sealed?.toString('base64') ?? null }
    },
    show: (_services, _caller, { secret, ...rest }) => ({ ...rest, secret: '' as const, secretSet: secret !== null }),
    audited: ({ secret: _, ...rest }) => rest,
  })
  return [...settings, ...testCall(services)]
}

function testCall({ vault, guard }: Services): Feature {
  return implementOpen(dnsTest, {
    async test({ body, caller, transact, audit }) {
      audit.detail = { domain: body.domain, account: body.account }
      if (body.dnsType === '') throw fieldFault('dnsType', 'required', 'invalidDnsSetting')
      const secret = await transact(async (db) =>
        typedSecret(vault, caller.tenantId, body, await read(db, caller.tenantId)),
      )
      const provider = providerFrom(guard, body, secret ?? '')
      const name = `_breakwater-test.${provider.zone}`
      try {
        await provider.addText(name, 'test')
        await provider.removeText(name, 'test')
      } catch (error) {
        if (error instanceof DnsError) throw new Fault('invalidDnsSetting', error.message)
        throw error
      }
    },
  })
}
