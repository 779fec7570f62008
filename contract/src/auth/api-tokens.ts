/**
 * API tokens for a person's programs. Shown once, not subject to the second step, never with more rights than their
 * owner.
 */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { endpoint } from '../endpoint.ts'
import { Id, Memo, MomentText, Name } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'
import { PermissionKeys } from '../permission-keys.ts'

/** The prefix of every token, by which secret scanners and people recognise it. */
export const apiTokenPrefix = 'bwt_'

/** The most tokens per account (101029). */
export const apiTokensMax = 100

const Cidr = z
  .string()
  .trim()
  .max(64, 'wrongFormat')
  .refine((text) => parseRange(text) !== undefined, 'wrongFormat')

const Scope = {
  permissions: PermissionKeys.nullable().default(null).describe('Null for all that the owner may do.'),
  siteIDs: z
    .array(Id)
    .min(1, 'required')
    .max(1000, 'itemsExceedLimit')
    .nullable()
    .default(null)
    .describe('Null for all that the owner reaches.'),
  cidrs: z.array(Cidr).max(100, 'itemsExceedLimit').default([]).describe('Where it may come from; empty for anywhere.'),
}

export const apiTokens = {
  list: endpoint('apiToken.list', 'GET', '/apiTokens', {
    tiers: ['user', 'client'],
    can: 'apiTokens.read',
    query: Paging,
    reply: pageOf(
      z.object({
        id: z.number().int(),
        name: z.string(),
        token: z.string().describe('Its first characters.'),
        memo: z.string(),
        permissions: z.array(z.string()).nullable(),
        siteIDs: z.array(z.number().int()).nullable(),
        cidrs: z.array(z.string()),
        createdAt: MomentText,
        expiredAt: MomentText.nullable(),
        lastUsedAt: MomentText.nullable(),
      }),
    ),
    kind: 'list',
    summary: 'Lists one’s API tokens.',
  }),
  create: endpoint('apiToken.create', 'POST', '/apiToken', {
    tiers: ['user', 'client'],
    can: 'apiTokens.write',
    personOnly: true,
    body: z.strictObject({
      name: Name,
      memo: Memo.default(''),
      expiredAt: z.iso.datetime({ offset: true, error: 'wrongFormat' }).nullable().default(null),
      ...Scope,
    }),
    reply: z.object({ id: z.number().int(), name: z.string(), token: z.string().describe('Shown this once.') }),
    summary: 'Creates an API token.',
  }),
  remove: endpoint('apiToken.remove', 'DELETE', '/apiTokens', {
    tiers: ['user', 'client'],
    can: 'apiTokens.write',
    personOnly: true,
    body: Ids,
    summary: 'Revokes API tokens. They stop working at once.',
  }),
}
