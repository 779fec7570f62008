/** Token auth: its calls, with write-only keys, and the rendering of a module for nodes. */
import { randomBytes } from 'node:crypto'
import type { EdgeTokenAuth, TokenAuthsPart } from '@breakwater/contract/edge/module-parts.ts'
import { type TokenAuth, tokenAuths, usualParameters } from '@breakwater/contract/modules/token-auths.ts'
import type { Database } from '../db/database.ts'
import { gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import type { SavedRule } from '../publish/document.ts'
import { moduleFeature, type Secrets } from './module-family.ts'
import { readModuleSecrets, secretRef, writeModuleSecrets } from './module-secrets.ts'
import { signUrl } from './sign-url.ts'

/** What a rule's row stores of its keys: their first four characters. */
const masked = (key: string) => (key === '' ? '' : `${key.slice(0, 4)}••••`)

const parameterOf = ({ kind, parameter }: Pick<TokenAuth, 'kind' | 'parameter'>) =>
  parameter === '' ? usualParameters[kind] : parameter

type Sent = Omit<TokenAuth, 'key' | 'key2'> & { key?: string | undefined; key2?: string | undefined }

const secretsOf = ({ vault }: Services): Secrets => ({
  take(item, before) {
    const { key, key2, ...rest } = item as Sent
    const shown = {
      key: key === undefined ? before?.key : masked(key),
      key2: key2 === undefined ? (before?.key2 ?? '') : masked(key2),
    }
    return { item: { ...rest, ...shown }, secret: [key, key2] }
  },

  async keep(db, module, changes) {
    const kept = await readModuleSecrets(db, vault, module.id)
    for (const [id, secret] of changes) {
      const before = kept[id] ?? []
      delete kept[id]
      // A key that is not given stays; an empty second key is removed.
      if (secret) kept[id] = secret.map((key, at) => key ?? before[at] ?? '').filter((key) => key !== '')
    }
    const version = await writeModuleSecrets(db, vault, module, kept)
    await db
      .updateTable('modules')
      .set({ body: JSON.stringify({ secret: version }) as never })
      .where('id', '=', module.id)
      .execute()
  },
})

/** The calls of the family, and the one that signs. */
export function tokenAuthsFeatures(services: Services): Feature[] {
  const { sign, ...calls } = tokenAuths.calls
  return [
    moduleFeature(services, { ...tokenAuths, calls }, { secrets: secretsOf(services) }),
    implement(
      { sign },
      {
        async sign({ db, siteId, moduleId, body, audit }) {
          const site = await requireSite(db, siteId)
          const rule = await ruleOf(db, site.tenantId, moduleId, body.id)
          const [key] = (await readModuleSecrets(db, services.vault, moduleId))[body.id] ?? []
          if (key === undefined) throw gone()
          audit.detail = { module: moduleId, rule: body.id, path: body.path }
          const how = { kind: rule.kind, parameter: parameterOf(rule) }
          const time = Math.floor(Date.now() / 1000)
          return { path: signUrl(how, { target: body.path, key, time, random: randomBytes(8).toString('hex') }) }
        },
      },
    ),
  ]
}

async function ruleOf(db: Database, tenantId: number, moduleId: number, id: number): Promise<TokenAuth> {
  const row = await db
    .selectFrom('rules')
    .innerJoin('modules', 'modules.id', 'rules.moduleId')
    .select('rules.body')
    .where('modules.tenantId', '=', tenantId)
    .where('modules.kind', '=', tokenAuths.kind)
    .where('modules.id', '=', moduleId)
    .where('rules.id', '=', id)
    .executeTakeFirst()
  if (!row) throw gone()
  return row.body as TokenAuth
}

/** A module without keys has no stored secret: it then has no rules either. */
export function tokenSecret(module: number, said: Record<string, unknown>): string {
  return secretRef(module, typeof said.secret === 'number' ? said.secret : 1)
}

export function tokensPart(module: number, rules: SavedRule[], said: Record<string, unknown>): TokenAuthsPart {
  return {
    kind: 'tokenAuths',
    module,
    secret: tokenSecret(module, said),
    rules: rules.map(({ id, body }): EdgeTokenAuth => {
      const rule = body as TokenAuth
      return { id, urlRegex: rule.urlRegex, kind: rule.kind, ttl: rule.ttl, parameter: parameterOf(rule) }
    }),
  }
}
