/**
 * Settings groups: settings that are saved together and that an owner always has, because they have defaults. One
 * declaration gives the calls to get them, change them and go back to the defaults; the server adds storage, audit,
 * publishing and history, the console a section.
 */
import type { z } from 'zod'
import { BasedOn } from './based-on.ts'
import { type Endpoint, endpoint, type Tier } from './endpoint.ts'
import type { Permission } from './permissions.ts'

/** What may own settings, and where its calls are. The site's are published to nodes with it. */
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

/** What the save was made from, where that is said. */
type Based = { basedOn?: BasedOn }

export type SettingsOwner = keyof typeof owners
type Place<O extends SettingsOwner> = (typeof owners)[O]['path']

type Options<Body extends z.ZodObject, Reply extends z.ZodType> = {
  /** `site.setting.gzip`: the ids of the calls begin with it. */
  id: string
  /** Below the owner's own path. */
  path: string
  /** What is sent to change them: always the whole group. */
  schema: Body
  /** What `get` answers, where that is not what is sent: a secret is never answered. */
  reply?: Reply
  read: Permission
  write: Permission
  /** Whether the specification has `get` and `update`. `remove` is always ours. */
  beyond?: boolean
  /** The id of the call that changes them, where the specification has that one alone: `get` is ours then. */
  updateId?: string
  /** Whether the specification saves them by POST (`create`) and has `remove`, too. */
  isCreated?: boolean
  /** Whether the specification has `remove`. */
  isRemoved?: boolean
  /** Of a zone or a node: whether nginx reads its configuration anew when they change. */
  reloads?: boolean
  /** What the group is called in a sentence. */
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
  /** What holds while nothing is saved. */
  defaults: Answer
  /** Whether nginx reads its configuration anew on every node of the owner when they change. */
  reloads: boolean
  calls: {
    get: Endpoint<Place<O>, undefined, undefined, undefined, Answer>
    update: Endpoint<Place<O>, undefined, z.input<Body> & Based, z.output<Body> & Based, void>
    remove: Endpoint<Place<O>, undefined, undefined, undefined, void>
  }
}

/** Declares a group of settings. `name` is its key in storage, documents and history. `defaults` are what `get` answers while nothing is saved. */
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
