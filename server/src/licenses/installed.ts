/** The operator's own licence: installing, checking and removing it. */
import type { LicenseDocument } from '@breakwater/contract/licenses/document.ts'
import { installedLicense, type installedStatuses } from '@breakwater/contract/licenses/installed.ts'
import { withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { askVendor } from './ask-vendor.ts'
import { installationId, trusted } from './installation.ts'
import { type Installed, makeLicenseChecks, usedOf } from './limits.ts'
import { readLicense } from './signing.ts'

type Status = (typeof installedStatuses)[number]
const statusOf = ({ document, over }: Pick<Installed, 'document' | 'over'>): Status =>
  document.revokedAt !== null ? 'revoked' : over ? 'expired' : 'active'

export function installedLicenseFeature({ env, database, guard }: Services): Feature {
  const checks = makeLicenseChecks(env)
  const installedOf = (operatorId: number) => withSystem(database.db, (db) => checks.installed(db, operatorId))

  /**
   * Reads a licence text for this installation. Throws as `readLicense` does, and 101019 if the licence has expired.
   */
  async function read(key: string): Promise<LicenseDocument> {
    const document = readLicense(key, trusted(env), await installationId(env.dataFolder))
    if (document.revokedAt === null && Date.parse(document.expiresAt) <= Date.now()) throw new Fault('licenseExpired')
    return document
  }

  async function keep(operatorId: number, key: string, checkedAt: Date | null): Promise<void> {
    await withSystem(database.db, (db) =>
      db
        .insertInto('installedLicenses')
        .values({ operatorId, key, checkedAt })
        .onConflict((on) => on.column('operatorId').doUpdateSet({ key, checkedAt, installedAt: new Date() }))
        .execute(),
    )
  }

  /** Installs a licence text. A licence that the vendor has revoked cannot be installed. */
  async function install(operatorId: number, key: string) {
    const document = await read(key)
    if (document.revokedAt !== null) throw new Fault('illegalLicense')
    await keep(operatorId, key, null)
    return document
  }

  return implementOpen(installedLicense, {
    async get({ caller }) {
      return withSystem(database.db, async (db) => {
        const found = await checks.installed(db, caller.tenantId)
        return {
          installation: await installationId(env.dataFolder),
          license: found ? present(found) : null,
          used: await usedOf(db, caller.tenantId),
          server: env.licenseServer,
        }
      })
    },

    async sync({ caller, query, body, audit }) {
      const key = body.key ?? query.key
      if (key !== undefined) {
        const document = await install(caller.tenantId, key)
        audit.detail = { serial: document.serial }
        return { expiredAt: document.expiresAt, status: 'active' as const }
      }
      const before = await installedOf(caller.tenantId)
      if (!before) throw new Fault('licenseMissing')
      if (before.document.kind === 'online') {
        const newest = await askVendor(guard, env.licenseServer, before.key)
        const document = await read(newest).catch((error: unknown) => {
          // The answer is not a licence text signed by a vendor trusted here.
          if (error instanceof Fault && error.reason !== 'licenseExpired') throw new Fault('invalidLicenseServer')
          throw error
        })
        if (document.serial !== before.document.serial) throw new Fault('invalidLicenseServer')
        await keep(caller.tenantId, newest, new Date())
      }
      const after = (await installedOf(caller.tenantId)) ?? before
      audit.detail = { serial: after.document.serial, status: statusOf(after) }
      return { expiredAt: after.document.expiresAt, status: statusOf(after) }
    },

    async updateKey({ caller, query, body, audit }) {
      const key = body.key ?? query.key
      if (key === undefined) throw new Fault('parameterError', 'invalid license key')
      if (!(await installedOf(caller.tenantId))) throw new Fault('licenseMissing')
      audit.detail = { serial: (await install(caller.tenantId, key)).serial }
    },

    async remove({ caller, audit }) {
      const before = await installedOf(caller.tenantId)
      if (!before) throw new Fault('licenseMissing')
      audit.detail = { serial: before.document.serial }
      await withSystem(database.db, (db) =>
        db.deleteFrom('installedLicenses').where('operatorId', '=', caller.tenantId).execute(),
      )
    },
  })
}

function present(found: Installed) {
  const { serial, kind, type, holder, limits, issuedAt, expiresAt } = found.document
  const checkedAt = found.checkedAt?.toISOString() ?? null
  return {
    serial,
    kind,
    type,
    holder,
    limits,
    issuedAt,
    expiredAt: expiresAt,
    status: statusOf(found),
    checkedAt,
  } as const
}
