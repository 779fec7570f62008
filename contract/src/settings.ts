/**
 * Settings groups: settings that are saved together and that an owner always has, because they have defaults. One
 * declaration yields the calls to get them, change them and reset them to the defaults; the server adds storage, audit,
 * publishing and history, the console a section.
 */
import type { z } from 'zod'
import { BasedOn } from './based-on.ts'
import { type Endpoint, endpoint, type Tier } from './endpoint.ts'
import type { Permission } from './permissions.ts'

/** What may own settings, and the path of the calls. A site's settings are published to nodes with the site. */
const owners = {
  installation: { path: '/client/', tiers: ['client'] },
  operator: { path: '/client/', tiers: ['client'] },
  zone: { path: '/client/zone/:zoneId/', tiers: ['client'] },
  group: { path: '/client/group/:groupId/', tiers: ['client'] },
  node: { path: '/client/node/:nodeId/', tiers: ['client'] },
  site: { path: '/:tier/site/:siteId/', tiers: ['user', 'client'] },
  domain: { path: '/:tier/site/:siteId/domain/:domainId/', tiers: ['user', 'client'] },
  account: { path: '/:tier/', tiers: ['user', 'client', 'admin'] },
} as const satisfies Record<string, { path: string; tiers: readonly Tier[] }>

/** The state that the save is based on, if given. */
type Based = { basedOn?: BasedOn }

export type SettingsOwner = keyof typeof owners
type Place<O extends SettingsOwner> = (typeof owners)[O]['path']

type Options<Body extends z.ZodObject, Reply extends z.ZodType> = {
  /** `site.setting.gzip`: the ids of the calls begin with it. */
  id: string
  /** Below the owner's own path. */
  path: string
  /** The body of an update: always the whole group. */
  schema: Body
  /** What `get` returns, if that differs from what is sent: a secret is never returned. */
  reply?: Reply
  read: Permission
  write: Permission
  /** True if `get` and `update` are our own and not in the specification. `remove` is our own unless `isRemoved`. */
  beyond?: boolean
  /** The id of the call that changes them, if the specification has only that one: `get` is our own then. */
  updateId?: string
  /** Whether the specification saves them by POST (`create`) and also has `remove`. */
  isCreated?: boolean
  /** Whether the specification has `remove`. */
  isRemoved?: boolean
  /** For a zone or a node: whether nginx reloads its configuration when they change. */
  reloads?: boolean
  /** The noun for the group in a sentence. */
  noun: string
}

export type SettingsGroup<
  O extends SettingsOwner = SettingsOwner,
  Body extends z.ZodObject = z.ZodObject,
  Answer = z.output<Body>,
> = {
  owner: O
  name: string
  schema: Body
  /** What applies while nothing is saved. */
  defaults: Answer
  /** Whether nginx reloads its configuration on every node of the owner when they change. */
  reloads: boolean
  calls: {
    get: Endpoint<Place<O>, undefined, undefined, undefined, Answer>
    update: Endpoint<Place<O>, undefined, z.input<Body> & Based, z.output<Body> & Based, void>
    remove: Endpoint<Place<O>, undefined, undefined, undefined, void>
  }
}

/**
 * Declares a group of settings. `name` is its key in storage, documents and history. `defaults` are what `get` returns
 * while nothing is saved.
 */
export function settings<const O extends SettingsOwner, Body extends z.ZodObject, Reply extends z.ZodType = Body>(
  owner: O,
  name: string,
  options: Options<Body, Reply>,
  defaults: NoInfer<z.output<Reply>>,
): SettingsGroup<O, Body, z.output<Reply>> {
  const {
    id,
    schema,
    reply,
    read,
    write,
    noun,
    beyond = false,
    updateId,
    isCreated = false,
    isRemoved = isCreated,
    reloads = false,
  } = options
  const { path, tiers } = owners[owner]
  const place = `${path}${options.path}`
  const calls = {
    get: endpoint(`${id}.get`, 'GET', place, {
      tiers,
      can: read,
      reply: reply ?? schema,
      beyond: beyond || updateId !== undefined,
      summary: `Returns the ${noun}.`,
    }),
    update: endpoint(updateId ?? `${id}.${isCreated ? 'create' : 'update'}`, isCreated ? 'POST' : 'PUT', place, {
      tiers,
      can: write,
      body: schema.safeExtend({ basedOn: BasedOn }),
      beyond,
      summary: reloads ? `Sets the ${noun}. nginx reloads, node by node.` : `Sets the ${noun}.`,
    }),
    remove: endpoint(`${id}.remove`, 'DELETE', place, {
      tiers,
      can: write,
      beyond: !isRemoved,
      summary: `Resets the ${noun} to the default.`,
    }),
  }
  return {
    ...{ owner, name, schema, defaults, reloads },
    calls: calls as unknown as SettingsGroup<O, Body, z.output<Reply>>['calls'],
  }
}
