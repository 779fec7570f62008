/**
 * Module families: named sets of items (headers, redirects …), or of settings (CORS), that a customer's domains are
 * bound to, on any of its sites. One declaration yields all calls; specific to a family are its item or body, and what
 * nodes make of it.
 */
import { z } from 'zod'
import { BasedOn } from '../based-on.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import type { ErrorName } from '../errors.ts'
import { Id, IdFilter, Memo, Name } from '../fields.ts'
import { Ids, MadeIds, type Page, Paging, pageOf } from '../paging.ts'

type ModulePath = '/:tier/site/:siteId/module/'
type ItemsPath = '/:tier/site/:siteId/module/:moduleId/'

export const ModuleInput = z.strictObject({ name: Name, memo: Memo.default('') })
export type ModuleInput = z.output<typeof ModuleInput>

export type Module = { id: number; name: string; memo: string; domainCount: number; [count: string]: unknown }

type Options<Item extends z.ZodObject> = {
  /** `customHeader`: the singular in paths and ids, and the binding's name. */
  one: string
  many: string
  /** The name of an item in paths: `header`, `headers`. */
  items: { one: string; many: string }
  /** The body of a module, if it has settings besides its name. */
  body?: z.ZodObject
  /** Has `enabled`, and `priority` if the order matters. */
  item: Item
  /** An item as it is returned, if that differs from what is sent: a secret is never returned. */
  shown?: z.ZodObject
  /** Fields that may be left out in an update but not in a new item. */
  changed?: z.ZodRawShape
  /** The field with the number of items in a module's row, if it is not `<one>Count`. */
  count?: string
  /** The most items of one module (101029), and of all modules bound to one site. */
  max: number
  siteMax?: { max: number; fault: ErrorName }
  /** The nouns for a module and an item in a sentence. */
  noun: string
  itemNoun: string
  /** True if the calls are our own and not in the specification. */
  beyond?: boolean
  /** True if a call adds a single item and returns its id. */
  addsOne?: boolean
  /** Two items of a module with the same key are rejected with `twice`. */
  uniqueKey?: (item: z.output<Item>) => string
  twice?: ErrorName
  /** Checks across fields. */
  check?: (item: z.output<Item>, context: z.RefinementCtx) => void
}

/** Which one is updated, and the state that the update is based on. */
type Changed = { id: number; basedOn?: BasedOn }

/** The calls on modules themselves, which every family has. `Body` is the request body of a module. */
type ModuleCalls<Body extends z.ZodObject, Row> = {
  list: Endpoint<ModulePath, Paging, undefined, undefined, Page<Row>>
  create: Endpoint<
    ModulePath,
    undefined,
    { modules: z.input<Body>[] },
    { modules: z.output<Body>[] },
    { ids: number[] }
  >
  remove: Endpoint<ModulePath, undefined, { ids: number[] }, { ids: number[] }, void>
  update: Endpoint<ModulePath, undefined, z.input<Body> & Changed, z.output<Body> & Changed, void>
}

type BindPath = '/:tier/site/:siteId/domains/module/'

export type ModuleFamily<Item extends z.ZodObject = z.ZodObject> = Pick<
  Options<Item>,
  'one' | 'item' | 'changed' | 'max' | 'siteMax' | 'uniqueKey' | 'twice' | 'check'
> & {
  /** Whether `addItems` takes one item as its body. Internally it is a list of one all the same. */
  addsOne: boolean
  kind: string
  /** Whether modules have settings besides their items. */
  hasSettings: boolean
  /** The field with the number of items in a module's row. */
  count: string
  /** The field that holds the module in a binding's body. */
  bindAs: string
  calls: ModuleCalls<typeof ModuleInput, Module> & {
    items: Endpoint<ItemsPath, Paging, undefined, undefined, Page<z.output<Item> & { id: number }>>
    addItems: Endpoint<ItemsPath, undefined, { items: z.input<Item>[] }, { items: z.output<Item>[] }, { ids: number[] }>
    removeItems: Endpoint<ItemsPath, undefined, { ids: number[] }, { ids: number[] }, void>
    updateItem: Endpoint<ItemsPath, undefined, z.input<Item> & Changed, z.output<Item> & Changed, void>
    bind: Endpoint<
      BindPath,
      undefined,
      { domainIDs: number[]; moduleID: number },
      { domainIDs: number[]; moduleID: number },
      void
    >
  }
}

/** A family whose modules have settings and no items. */
export type SettingsModule<Body extends z.ZodObject = z.ZodObject> = {
  kind: string
  one: string
  body: Body
  check: ((body: z.output<Body>, context: z.RefinementCtx) => void) | undefined
  /** The field that holds the module in a binding's body. */
  bindAs: string
  calls: ModuleCalls<Body, z.output<Body> & { id: number; domainCount: number }> & {
    bind: Endpoint<BindPath, undefined, Record<string, unknown>, Record<string, unknown>, void>
  }
}

const read = { can: 'modules.read' } as const
const write = { can: 'modules.write' } as const

/** Declares a family. `kind` is its key in storage and documents. */
export function moduleFamily<Item extends z.ZodObject>(kind: string, options: Options<Item>): ModuleFamily<Item> {
  const { one, many, items, item, max, siteMax, noun, itemNoun, beyond = false, addsOne = false } = options
  const { uniqueKey, twice, check } = options
  const of = '/:tier/site/:siteId/module'
  const itemsPath = `${of}/${one}/:moduleId/${items.many}`
  const count = options.count ?? `${items.one}Count`
  const body = options.body ?? ModuleInput
  const checked = <S extends z.ZodObject>(schema: S): S =>
    check ? schema.superRefine((value, context) => check(value as z.output<Item>, context)) : schema
  const calls = {
    ...moduleCalls({ one, many, noun, beyond }, body, {
      ...(options.body?.shape ?? { name: z.string(), memo: z.string() }),
      [count]: z.number().int(),
    }),
    items: endpoint(`site.module.${one}.${items.many}.list`, 'GET', itemsPath, {
      ...read,
      query: Paging,
      reply: pageOf((options.shown ?? item).extend({ id: z.number().int() })),
      kind: 'list',
      beyond,
      summary: `Lists the ${itemNoun}s of a module.`,
    }),
    addItems: addsOne
      ? endpoint(`site.module.${one}.${items.one}.create`, 'POST', `${of}/${one}/:moduleId/${items.one}`, {
          ...write,
          body: checked(z.strictObject(item.shape)),
          reply: z.object({ id: z.number().int() }),
          beyond,
          summary: `Adds a ${itemNoun} to a module.`,
        })
      : endpoint(`site.module.${one}.${items.many}.create`, 'POST', itemsPath, {
          ...write,
          body: z.strictObject({
            items: z
              .array(checked(z.strictObject(item.shape)))
              .min(1, 'required')
              .max(50, 'itemsExceedLimit'),
          }),
          reply: MadeIds,
          beyond,
          summary: `Adds ${itemNoun}s to a module.`,
        }),
    removeItems: endpoint(`site.module.${one}.${items.many}.remove`, 'DELETE', itemsPath, {
      ...write,
      body: Ids,
      beyond,
      summary: `Removes ${itemNoun}s of a module.`,
    }),
    updateItem: endpoint(`site.module.${one}.${items.one}.update`, 'PUT', `${of}/${one}/:moduleId/${items.one}`, {
      ...write,
      body: checked(z.strictObject({ id: Id, basedOn: BasedOn, ...item.shape, ...options.changed })),
      beyond,
      summary: `Updates a ${itemNoun} of a module.`,
    }),
    bind: bindCall(one, 'moduleID', beyond),
  }
  return {
    hasSettings: options.body !== undefined,
    addsOne,
    ...{ kind, one, count, bindAs: 'moduleID', item, changed: options.changed, max, siteMax, uniqueKey, twice, check },
    calls: calls as unknown as ModuleFamily<Item>['calls'],
  }
}

/**
 * Declares a family whose modules have settings and no items; `bindAs` is the field that holds the module in a
 * binding's body.
 */
export function settingsModule<Body extends z.ZodObject>(
  kind: string,
  {
    one,
    body,
    bindAs,
    noun,
    beyond = false,
    check,
  }: Pick<SettingsModule<Body>, 'one' | 'body' | 'bindAs'> & {
    noun: string
    beyond?: boolean
    check?: (body: z.output<Body>, context: z.RefinementCtx) => void
  },
): SettingsModule<Body> {
  const calls = {
    ...moduleCalls({ one, many: one, noun, beyond }, body, body.shape, check as never),
    bind: bindCall(one, bindAs, beyond),
  }
  return { kind, one, body, check, bindAs, calls: calls as unknown as SettingsModule<Body>['calls'] }
}

/**
 * `body` is the request body of a module, `shown` its fields in replies besides its id and the number of its domains.
 */
function moduleCalls(
  { one, many, noun, beyond }: { one: string; many: string; noun: string; beyond: boolean },
  body: z.ZodObject,
  shown: z.ZodRawShape,
  check?: (body: never, context: z.RefinementCtx) => void,
) {
  const of = '/:tier/site/:siteId/module'
  const checked = <S extends z.ZodObject>(schema: S): S =>
    check ? schema.superRefine((value, context) => check(value as never, context)) : schema
  return {
    list: endpoint(`site.module.${many}.list`, 'GET', `${of}/${many}`, {
      ...read,
      query: Paging,
      reply: pageOf(z.object({ id: z.number().int(), ...shown, domainCount: z.number().int() })),
      kind: 'list',
      beyond,
      summary: `Lists the ${noun}s that the site’s domains can be bound to.`,
    }),
    create: endpoint(`site.module.${many}.create`, 'POST', `${of}/${many}`, {
      ...write,
      body: z.strictObject({ modules: z.array(checked(body)).min(1, 'required').max(20, 'itemsExceedLimit') }),
      reply: MadeIds,
      beyond,
      summary: `Adds ${noun}s.`,
    }),
    remove: endpoint(`site.module.${many}.remove`, 'DELETE', `${of}/${many}`, {
      ...write,
      body: Ids,
      beyond,
      summary: 'Removes modules that no domain is bound to.',
    }),
    update: endpoint(`site.module.${one}.update`, 'PUT', `${of}/${one}`, {
      ...write,
      body: checked(body.extend({ id: Id, basedOn: BasedOn })),
      beyond,
      summary: `Updates a ${noun}.`,
    }),
  }
}

const bindCall = (one: string, bindAs: string, beyond: boolean) =>
  endpoint(`site.domains.module.${one}`, 'PUT', `/:tier/site/:siteId/domains/module/${one}`, {
    ...write,
    body: z.strictObject({
      domainIDs: z.array(Id).min(1, 'required').max(1000, 'itemsExceedLimit'),
      [bindAs]: IdFilter,
    }),
    beyond,
    summary: 'Binds domains to a module; 0 unbinds.',
  })
