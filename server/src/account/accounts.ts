/** The calls that manage accounts below the caller's own. */
import { accountStatuses, accounts } from '@breakwater/contract/account/accounts.ts'
import { inviteAndReport } from '../auth/invite.ts'
import { unlock } from '../auth/lock.ts'
import { hashPassword } from '../auth/passwords.ts'
import { resetSecondStep } from '../auth/second-step.ts'
import { endAllSessions } from '../auth/sessions.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import { makeLicenseChecks } from '../licenses/limits.ts'
import type { Services } from '../process/services.ts'
import { requireKeys } from '../roles/roles.ts'
import { listAccounts, namingDuplicates, setRoles } from './accounts.store.ts'
import { below, childOf, requireBelow, requireKnown } from './known-accounts.ts'
import { placeOf } from './new-account-owner.ts'
import { removalCheckOf, requireRemovable } from './removal-check.ts'

const { setPassword, ...transactional } = accounts

export function accountsFeature(services: Services): Feature {
  return [...accountCalls(services), ...passwordCalls()]
}

/**
 * The operator tenant to which the vendor narrows a list. For other callers, who see only their own anyway, undefined.
 */
async function operatorOf(db: Database, caller: Caller, clientId: number | undefined): Promise<number | undefined> {
  if (caller.tier !== 'admin' || clientId === undefined) return undefined
  const row = await db
    .selectFrom('accounts')
    .select('tenantId')
    .where('id', '=', clientId)
    .where('tier', '=', 'client')
    .executeTakeFirst()
  return row?.tenantId ?? 0
}

/** An expired account cannot be set back to normal without a new end date: the next sweep would expire it again. */
function requireOpenEnd(status: number | undefined, end: Date | string | null): void {
  if (status === accountStatuses.normal && end !== null && new Date(end).getTime() <= Date.now()) {
    throw fieldFault('expiredAt', 'inThePast')
  }
}

function accountCalls({ vault, env }: Services): Feature {
  return implement(transactional, {
    async list({ db, caller, query }) {
      const { client, clientID, ...rest } = query
      const operatorId = await operatorOf(db, caller, clientID ?? client)
      return listAccounts(db, below(caller), { ...rest, operatorId })
    },

    async subs({ db, caller, userId, query }) {
      const parent =
        userId === caller.accountId
          ? { id: userId, tenantId: caller.tenantId, isRoot: caller.isRoot }
          : await requireKnown(db, caller, userId)
      return listAccounts(db, childOf(parent), query)
    },

    async removalCheck({ db, caller, userId }) {
      return removalCheckOf(db, await requireKnown(db, caller, userId))
    },

    async create(call) {
      const { db, caller, body, audit } = call
      const { roleIDs = [], permissions = [], auth, clientID, locale, ...fields } = body
      requireKeys(caller, permissions)
      if (caller.siteIds && fields.allSites) throw fieldFault('allSites', 'exceedsYours', 'permissionDenied')
      const place = await placeOf(db, caller, auth, body.name, clientID)
      if (auth === 'user') await makeLicenseChecks(env).requireRoom(db, place.tenantId, 'users')
      const isSub = !place.isRoot
      const { id } = await namingDuplicates(() =>
        db
          .insertInto('accounts')
          .values({
            name: fields.name,
            email: fields.email,
            account: fields.account,
            ...(fields.maxLogExportTimes === undefined ? {} : { maxLogExportTimes: fields.maxLogExportTimes }),
            // A customer's sub-account sees no site until it is granted one; an operator's staff see all of them.
            allSites: fields.allSites ?? (!isSub || auth !== 'user'),
            permissions,
            endsAt: fields.expiredAt ?? null,
            tier: auth,
            status: accountStatuses.pause,
            passwordHash: null,
            ...place,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
      if (roleIDs.length > 0) await setRoles(db, caller, { id, tenantId: place.tenantId }, roleIDs)
      const invited = { ...fields, id, tenantId: place.tenantId, tier: auth, hasPassword: false }
      const delivery = await inviteAndReport(call, vault, invited, locale)
      audit.subjectTenantId = place.tenantId
      audit.detail = { id, after: body }
      return { id, ...delivery }
    },

    async update({ db, caller, body, audit }) {
      const { id, auth, roleIDs, expiredAt, ...changes } = body
      const target = await requireBelow(db, caller, id, auth)
      if (roleIDs && target.isRoot) throw new Fault('permissionDenied')
      if (changes.permissions) requireKeys(caller, changes.permissions)
      if (changes.allSites && caller.siteIds) throw fieldFault('allSites', 'exceedsYours', 'permissionDenied')
      if (changes.status === accountStatuses.normal && target.passwordHash === null) {
        throw fieldFault('status', 'passwordMissing')
      }
      const before = await db
        .selectFrom('accounts')
        .select(['name', 'email', 'status', 'maxLogExportTimes', 'allSites', 'permissions', 'endsAt as expiredAt'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      requireOpenEnd(changes.status, expiredAt === undefined ? before.expiredAt : expiredAt)
      const columns = expiredAt === undefined ? changes : { ...changes, endsAt: expiredAt }
      if (Object.values(columns).some((value) => value !== undefined)) {
        await namingDuplicates(() => db.updateTable('accounts').set(columns).where('id', '=', id).execute())
      }
      if (roleIDs) await setRoles(db, caller, target, roleIDs)
      // Setting the status to normal also lifts the lock from failed sign-ins (ruling 16).
      if (changes.status === accountStatuses.normal) await asSystem(db, (tx) => unlock(tx, target.id))
      if (changes.status !== undefined && changes.status !== accountStatuses.normal) {
        await asSystem(db, (tx) => endAllSessions(tx, id))
      }
      audit.subjectTenantId = target.tenantId
      audit.detail = { id, account: target.account, before, after: { ...changes, expiredAt, roleIDs } }
    },

    async remove({ db, caller, body, audit }) {
      const target = await requireBelow(db, caller, body.id, body.auth)
      await requireRemovable(db, target)
      await db.deleteFrom('accounts').where('id', '=', target.id).execute()
      audit.subjectTenantId = target.tenantId
      audit.detail = { id: target.id, account: target.account, before: { name: target.name, email: target.email } }
    },

    async resendEmail(call) {
      const { db, caller, body, audit } = call
      const target = await requireBelow(db, caller, body.id, body.auth)
      if (target.email === '') throw fieldFault('email', 'required')
      const delivery = await inviteAndReport(
        call,
        vault,
        { ...target, hasPassword: target.passwordHash !== null },
        body.locale,
      )
      audit.subjectTenantId = target.tenantId
      audit.detail = { id: target.id, account: target.account }
      return delivery
    },

    async resetSecondStep({ db, caller, body, audit }) {
      const target = await requireBelow(db, caller, body.id, body.auth)
      await asSystem(db, async (tx) => {
        await resetSecondStep(tx, target.id)
        await endAllSessions(tx, target.id)
      })
      audit.subjectTenantId = target.tenantId
      audit.detail = { id: target.id, account: target.account }
    },

    async setRoles({ db, caller, body, audit }) {
      const target = await requireBelow(db, caller, body.id)
      if (target.isRoot) throw new Fault('permissionDenied')
      const before = await db.selectFrom('accountRoles').select('roleId').where('accountId', '=', target.id).execute()
      await setRoles(db, caller, target, body.roleIDs)
      audit.subjectTenantId = target.tenantId
      audit.detail = {
        id: target.id,
        account: target.account,
        before: { roleIDs: before.map(({ roleId }) => roleId) },
        after: { roleIDs: body.roleIDs },
      }
    },
  })
}

function passwordCalls(): Feature {
  return implementOpen(
    { setPassword },
    {
      async setPassword({ transact, caller, body, audit }) {
        await transact((db) => requireBelow(db, caller, body.id, body.auth))
        // The slow hash is computed outside any transaction; the permission is checked again inside.
        const passwordHash = await hashPassword(body.password)
        await transact(async (db) => {
          const target = await requireBelow(db, caller, body.id, body.auth)
          const status = target.passwordHash === null ? accountStatuses.normal : target.status
          await db
            .updateTable('accounts')
            .set({ passwordHash, status, mustChangePassword: true })
            .where('id', '=', target.id)
            .execute()
          await asSystem(db, (tx) => endAllSessions(tx, target.id))
          audit.subjectTenantId = target.tenantId
          audit.detail = { id: target.id, account: target.account }
        })
      },
    },
  )
}
