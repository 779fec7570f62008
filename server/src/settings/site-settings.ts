/**
 * A settings group of a site, built from its declaration in the contract: its calls, and its part of the site's
 * document.
 */
import type { EdgeFeature } from '@breakwater/contract/edge/features.ts'
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { Feature } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import type { SitePart } from '../publish/part.ts'
import type { Rendering } from '../publish/rendering.ts'
import { gatherSites } from '../publish/site-part.ts'
import { implementSettings } from './implement-settings.ts'

type Base<Value extends object> = {
  /** Also called with the defaults if nothing is saved. */
  render(value: Value, out: Rendering): void
  /** Features that a node must have to serve it. */
  requires?(value: Value): readonly EdgeFeature[]
}

/** Checks that the schema cannot express; returns what to save, and throws a Fault at the field. */
type Checked<Value> = { check?(value: Value, db: Database, site: LockedSite): Value | Promise<Value> }

/** For groups whose saved value differs from what is sent: a secret is stored elsewhere. */
type Apart<Body, Value extends object, Answer> = {
  saved: z.ZodType<Value>
  /** Used while nothing is saved. */
  none: Value
  /** Converts what was sent into what is saved. */
  save(services: Services, db: Database, site: LockedSite, body: Body): Promise<Value>
  /** Deletes what is stored elsewhere too. */
  forget(db: Database, site: LockedSite): Promise<void>
  show(value: Value, about: { services: Services; db: Database; site: LockedSite }): Answer | Promise<Answer>
  /** The part of an older value that can be restored, if any. */
  revive(db: Database, site: LockedSite, value: Value): Promise<Value | undefined>
}

export type SiteSettings = { part: SitePart; feature: (services: Services) => Feature }

/** A group that is saved exactly as it is sent. */
export function siteSettings<Body extends z.ZodObject>(
  group: SettingsGroup<'site', Body, z.output<Body>>,
  { render, requires, check = (value) => value }: Base<z.output<Body>> & Checked<z.output<Body>>,
): SiteSettings {
  type Value = z.output<Body>
  return siteSettingsApart<Body, Value, Value>(group, {
    render,
    ...(requires && { requires }),
    saved: group.schema as unknown as z.ZodType<Value>,
    none: group.defaults,
    save: async (_services, db, site, body) => check(body, db, site),
    forget: async () => undefined,
    // A value saved before a field existed gets the field's default.
    show: (value) => ({ ...group.defaults, ...value }),
    revive: async (_db, _site, value) => value,
  })
}

export function siteSettingsApart<Body extends z.ZodObject, Value extends object, Answer>(
  group: SettingsGroup<'site', Body, Answer>,
  apart: Base<Value> & Apart<z.output<Body>, Value, Answer>,
): SiteSettings {
  const { name } = group
  const part: SitePart<Value> = {
    owner: 'site',
    name: `settings/${name}`,
    schema: apart.saved,
    gather: gatherSites,
    empty: apart.none,
    lift: (stored) => (stored.settings as { settings?: Record<string, Value> } | undefined)?.settings?.[name],
    items: (value) => [[`settings/${name}`, value]],
    async restore(db, site, value) {
      const revived = value === apart.none ? undefined : await apart.revive(db, site, apart.saved.parse(value))
      await writeSettings(db, site.id, revived === undefined ? without(name) : having(name, revived))
    },
    render: apart.render,
    ...(apart.requires && { requires: apart.requires }),
  }
  const feature = (services: Services): Feature => {
    const { publisher } = services
    const about = (verb: 'update' | 'remove') => ({ action: group.calls[verb].audit! })
    // Inside, every group has one shape; its own fields matter only to the schema that already parsed them.
    const calls = group.calls as unknown as SettingsGroup<'site', z.ZodObject, Answer>['calls']
    return implementSettings(group.owner, calls, {
      async get({ db, siteId }) {
        const site = await requireSite(db, siteId)
        const row = await db.selectFrom('sites').select('settings').where('id', '=', site.id).executeTakeFirstOrThrow()
        return apart.show((row.settings[name] as Value | undefined) ?? apart.none, { services, db, site })
      },
      async update(call) {
        await changeSite(call, call.siteId, publisher, about('update'), async (db, site) => {
          const value = await apart.save(services, db, site, call.body as z.output<Body>)
          await writeSettings(db, site.id, having(name, value))
        })
      },
      async remove(call) {
        await changeSite(call, call.siteId, publisher, about('remove'), async (db, site) => {
          await apart.forget(db, site)
          await writeSettings(db, site.id, without(name))
        })
      },
    })
  }
  return { part: part as unknown as SitePart, feature }
}

const having = (name: string, value: object) =>
  sql<string>`settings || jsonb_build_object(${name}::text, ${JSON.stringify(value)}::jsonb)`
const without = (name: string) => sql<string>`settings - ${name}::text`

const writeSettings = (db: Database, siteId: number, settings: RawBuilder<string>) =>
  db.updateTable('sites').set({ settings }).where('id', '=', siteId).execute()
