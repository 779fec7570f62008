/** Products: what an operator offers. A product defines which groups serve its sites, and the limits of its sites. */
import { z } from 'zod'
import { BasedOn } from '../based-on.ts'
import { endpoint } from '../endpoint.ts'
import { Id, Name, QueryId } from '../fields.ts'
import { listOf, Paging, pageOf } from '../paging.ts'
import { Limitations } from '../sites/limitations.ts'
import { PortType } from '../zones/zones.ts'

/** The most groups of one product: a main and a backup group in each zone. */
const groupsMax = 200

const ProductGroup = z.object({
  zoneID: z.number().int(),
  zoneName: z.string(),
  groupID: z.number().int(),
  groupName: z.string(),
  isBackup: z.boolean(),
})

export const Product = z.object({
  id: z.number().int(),
  name: z.string(),
  portType: z.number().int(),
  groups: z.array(ProductGroup),
  siteCount: z.number().int(),
  limitations: Limitations,
  selfService: z.boolean(),
  siteLimit: z.number().int(),
})
export type Product = z.output<typeof Product>

const ProductFields = {
  name: Name,
  groups: z
    .array(z.strictObject({ zoneID: Id, groupID: Id, isBackup: z.boolean().default(false) }))
    .min(1, 'required')
    .max(groupsMax, 'itemsExceedLimit')
    .describe('At most one main and one backup group of each zone, and one main group at least.'),
  limitations: Limitations.optional().describe('What a new site of the product may have; absent keeps what was set.'),
  selfService: z.boolean().optional().describe('Whether customers make sites of it themselves.'),
  siteLimit: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(1_000_000, 'number')
    .optional()
    .describe('Sites that it may have in all (204003); 0 for no limit.'),
}

const only = { tiers: ['client'] } as const

export const products = {
  list: endpoint('client.products.list', 'GET', '/client/products', {
    ...only,
    can: 'products.read',
    query: Paging,
    reply: pageOf(Product),
    kind: 'list',
    summary: 'Lists the products with their groups.',
  }),
  meta: endpoint('client.products.meta', 'GET', '/client/metaProducts', {
    ...only,
    can: 'products.read',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string(), portType: z.number().int() })),
    kind: 'list',
    summary: 'Lists ids and names of all products, unpaged.',
  }),
  create: endpoint('client.product.create', 'POST', '/client/product', {
    ...only,
    can: 'products.write',
    body: z.strictObject({ ...ProductFields, portType: PortType.default(7) }),
    reply: z.object({ id: z.number().int() }),
    summary:
      'Creates a product. Its groups must have its port type (101023); a layer 4 group belongs to one product (204001).',
  }),
  update: endpoint('client.product.update', 'PUT', '/client/product', {
    ...only,
    can: 'products.write',
    body: z.strictObject({ ...ProductFields, id: Id, portType: PortType.optional(), basedOn: BasedOn }),
    summary: 'Updates a product. Its sites move to its groups at once.',
  }),
  remove: endpoint('client.product.remove', 'DELETE', '/client/product', {
    ...only,
    can: 'products.write',
    body: z.strictObject({ id: Id }),
    summary: 'Removes a product that no site uses (204002).',
  }),
  groups: endpoint('client.product.groups.list', 'GET', '/client/product/:id/groups', {
    ...only,
    can: 'products.read',
    query: z.strictObject({ isBackup: z.stringbool().optional() }),
    reply: pageOf(
      z.object({
        id: z.number().int(),
        name: z.string(),
        portType: z.number().int(),
        isBackup: z.boolean(),
        zoneID: z.number().int(),
      }),
    ),
    kind: 'list',
    summary: 'Lists the groups of a product, unpaged.',
  }),
  offered: endpoint('user.products.list', 'GET', '/user/products', {
    tiers: ['user'],
    can: 'sites.read',
    query: Paging.extend({ productIDs: listOf(QueryId).optional() }),
    reply: pageOf(
      z.object({
        productID: z.number().int(),
        productName: z.string(),
        portType: z.number().int(),
        selfService: z.boolean(),
      }),
    ),
    kind: 'list',
    summary: 'Lists the products on which one has, or may create, sites.',
  }),
}
