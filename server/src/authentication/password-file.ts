/** Imports a file of names and password hashes into a group. */
import { authEntriesMax, BasicAuth, basicAuths } from '@breakwater/contract/authentication/auth-groups.ts'
import { isKnownHash, passwordFile } from '@breakwater/contract/authentication/password-file.ts'
import type { AuthSecret } from '@breakwater/contract/edge/auth-rules.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite } from '../publish/change-site.ts'
import { rulesOwner } from '../rules/owners.ts'
import { keepGroup } from './group-secrets.ts'

const { kind } = basicAuths
const Username = BasicAuth.shape.username

/** Parses the file into hashes by name. Rejects the first invalid line, by its number from 0. */
function readFile(lines: readonly string[]): Map<string, string> {
  const entries = new Map<string, string>()
  for (const [at, given] of lines.entries()) {
    const line = given.trim()
    if (line === '' || line.startsWith('#')) continue
    const colon = line.indexOf(':')
    const [name, hash] = [line.slice(0, Math.max(0, colon)), line.slice(colon + 1)]
    if (!Username.safeParse(name).success) throw fieldFault(`lines.${at}`, 'wrongFormat')
    if (!isKnownHash(hash)) throw fieldFault(`lines.${at}`, 'unknownPasswordHash')
    if (entries.has(name)) throw fieldFault(`lines.${at}`, 'duplicatedData')
    entries.set(name, hash)
  }
  if (entries.size === 0) throw fieldFault('lines', 'required')
  return entries
}

export function passwordFileFeature({ publisher, vault }: Services): Feature {
  return implement(passwordFile, {
    async import(call) {
      return changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const authGroupId = await rulesOwner('authGroup').idOf(db, site, call, kind)
        const entries = readFile(call.body.lines)
        const there = await db
          .selectFrom('rules')
          .select(['id', 'uniqueKey'])
          .where('authGroupId', '=', authGroupId)
          .where('kind', '=', kind)
          .execute()
        const ids = new Map(there.map(({ id, uniqueKey }) => [uniqueKey, id]))
        const fresh = [...entries.keys()].filter((name) => !ids.has(name))
        if (there.length + fresh.length > authEntriesMax) throw new Fault('itemsExceedLimit', { max: authEntriesMax })
        if (fresh.length > 0) {
          const { tenantId } = site
          const createdBy = call.caller.accountName
          const row = (username: string) => ({
            ...{ tenantId, authGroupId, kind, createdBy, uniqueKey: username },
            body: JSON.stringify({ username }),
          })
          const added = await db.insertInto('rules').values(fresh.map(row)).returning(['id', 'uniqueKey']).execute()
          for (const { id, uniqueKey } of added) ids.set(uniqueKey, id)
        }
        const secrets = [...entries].map(([name, crypt]): [number, AuthSecret] => [ids.get(name)!, { name, crypt }])
        await keepGroup(db, vault, site, authGroupId, new Map(secrets))
        const told = { added: fresh.length, changed: entries.size - fresh.length }
        call.audit.detail = { group: authGroupId, ...told }
        return told
      })
    },
  })
}
