/** Custom header modules: named sets of headers that domains of several sites of one customer can share. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { HeaderName, HeaderValue, isReservedHeader, Memo, Name } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'

export const CustomHeader = z.strictObject({
  type: z.enum(['response', 'request']),
  key: HeaderName.refine((name) => !isReservedHeader(name), 'reservedHeader'),
  value: HeaderValue.default('').describe('Empty removes the header.'),
  enabled: z.boolean().default(true),
})

const of = '/:tier/site/:siteId/module'
const ModuleInput = z.strictObject({ name: Name, memo: Memo.default('') })

export const customHeaders = {
  list: endpoint('site.module.customHeaders.list', 'GET', `${of}/customHeaders`, {
    can: 'modules.read',
    query: Paging,
    reply: pageOf(
      z.object({
        id: z.number().int(),
        name: z.string(),
        memo: z.string(),
        headerCount: z.number().int(),
        domainCount: z.number().int(),
      }),
    ),
    kind: 'list',
    summary: 'Lists the custom header modules that the site’s domains can be bound to.',
  }),
  create: endpoint('site.module.customHeaders.create', 'POST', `${of}/customHeaders`, {
    can: 'modules.write',
    audit: 'site.module.customHeaders.create',
    body: z.strictObject({ modules: z.array(ModuleInput).min(1, 'required').max(20, 'itemsExceedLimit') }),
    reply: z.object({ ids: z.array(z.number().int()) }),
    summary: 'Adds custom header modules.',
  }),
  remove: endpoint('site.module.customHeaders.remove', 'DELETE', `${of}/customHeaders`, {
    can: 'modules.write',
    audit: 'site.module.customHeaders.remove',
    body: Ids,
    summary: 'Removes modules that no domain is bound to.',
  }),
  update: endpoint('site.module.customHeader.update', 'PUT', `${of}/customHeader`, {
    can: 'modules.write',
    audit: 'site.module.customHeader.update',
    body: ModuleInput.extend({ id: z.number().int().positive() }),
    summary: 'Renames a module.',
  }),
  headers: endpoint('site.module.customHeader.headers.list', 'GET', `${of}/customHeader/:moduleId/headers`, {
    can: 'modules.read',
    query: Paging,
    reply: pageOf(CustomHeader.extend({ id: z.number().int() })),
    kind: 'list',
    summary: 'Lists the headers of a module.',
  }),
  addHeaders: endpoint('site.module.customHeader.headers.create', 'POST', `${of}/customHeader/:moduleId/headers`, {
    can: 'modules.write',
    audit: 'site.module.customHeader.headers.create',
    body: z.strictObject({ items: z.array(CustomHeader).min(1, 'required').max(50, 'itemsExceedLimit') }),
    summary: 'Adds headers to a module; a key twice in one direction is 10102502.',
  }),
  removeHeaders: endpoint('site.module.customHeader.headers.remove', 'DELETE', `${of}/customHeader/:moduleId/headers`, {
    can: 'modules.write',
    audit: 'site.module.customHeader.headers.remove',
    body: Ids,
    summary: 'Removes headers of a module.',
  }),
  updateHeader: endpoint('site.module.customHeader.header.update', 'PUT', `${of}/customHeader/:moduleId/header`, {
    can: 'modules.write',
    audit: 'site.module.customHeader.header.update',
    body: CustomHeader.extend({ id: z.number().int().positive() }),
    summary: 'Changes a header of a module.',
  }),
  bind: endpoint('site.domains.module.customHeader', 'PUT', '/:tier/site/:siteId/domains/module/customHeader', {
    can: 'modules.write',
    audit: 'site.domains.module.customHeader',
    body: z.strictObject({
      domainIDs: z.array(z.number().int().positive()).min(1, 'required').max(1000, 'itemsExceedLimit'),
      moduleID: z.number().int().min(0),
    }),
    summary: 'Binds domains to a module; 0 unbinds.',
  }),
}
