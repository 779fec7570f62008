/**
 * API shield: an OpenAPI document uploaded for the site defines the valid requests. Others are observed or refused: an
 * unknown path, method or parameter, or a value or body that does not match the document.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { RuleMode, urlCharsMax } from '../fields.ts'
import { settings } from '../settings.ts'

/** The most bytes of a document. */
export const shieldDocumentBytesMax = 262_144
/** The most operations of a document. */
export const shieldOperationsMax = 1000

const ScopePath = z
  .string()
  .min(1, 'required')
  .max(urlCharsMax, 'charactersExceedLimit')
  .regex(/^\/[^\s?#\\]*$/, 'wrongFormat')

export const ApiShield = z
  .strictObject({
    enable: z.boolean().describe('Whether requests are compared with the document.'),
    mode: RuleMode.describe('observe counts what it would have refused; enforce refuses it with 403.'),
    document: z
      .string()
      .refine((text) => new TextEncoder().encode(text).length <= shieldDocumentBytesMax, 'charactersExceedLimit')
      .describe('OpenAPI 3.0 or 3.1 as JSON or YAML, without references to other files. 256 KB at most.'),
    scope: z
      .array(ScopePath)
      .min(1, 'required')
      .max(20, 'itemsExceedLimit')
      .refine((paths) => new Set(paths).size === paths.length, 'duplicatedData')
      .describe('Paths that the document speaks of; one that ends in / means all below it. All others pass.'),
    bodyBytes: z
      .number()
      .int('number')
      .min(8192, 'number')
      .max(1_048_576, 'number')
      .describe('The most of a body that is read and compared, in bytes.'),
    overBudget: wordOf(
      'ShieldOverBudget',
      'What becomes of a body that is longer, or takes too long to compare: block refuses it, pass notes it and lets it go.',
      ['block', 'pass'],
    ),
  })
  .superRefine(({ enable, document }, context) => {
    if (enable && document.trim() === '') context.addIssue({ code: 'custom', path: ['document'], message: 'required' })
  })
export type ApiShield = z.output<typeof ApiShield>

export const apiShield = settings(
  'site',
  'apiShield',
  {
    id: 'site.firewall.setting.apiShield',
    path: 'firewall/setting/apiShield',
    schema: ApiShield,
    read: 'firewall.read',
    write: 'firewall.write',
    beyond: true,
    noun: 'API shield of a site',
  },
  { enable: false, mode: 'observe', document: '', scope: ['/'], bodyBytes: 131_072, overBudget: 'block' },
)

const Operation = z.object({
  id: z
    .number()
    .int()
    .describe('Its number in the document, from 1; the rule of a refusal is 100 times that, and the reason.'),
  method: z.string(),
  path: z.string(),
})

export const shieldProblems = [
  'syntax',
  'tooDeep',
  'aliases',
  'notOpenApi',
  'remoteReference',
  'brokenReference',
  'endlessReference',
  'wrongPath',
  'wrongSchema',
  'wrongParameter',
  'duplicatePath',
  'tooMuch',
] as const
export type ShieldProblem = (typeof shieldProblems)[number]

export const shieldNotes = ['keyword', 'pattern', 'format', 'content', 'parameter', 'method', 'server'] as const
export type ShieldNote = (typeof shieldNotes)[number]

export const ShieldReading = z.object({
  problem: z
    .object({
      reason: wordOf('ShieldProblem', 'Why a document is refused.', shieldProblems),
      where: z.string().describe('A JSON pointer, or a line; empty where it is the whole document.'),
    })
    .nullable(),
  title: z.string(),
  operations: z.array(Operation),
  notes: z
    .array(
      z.object({ reason: wordOf('ShieldNote', 'What of a document is not compared.', shieldNotes), where: z.string() }),
    )
    .describe('What the edge does not compare: the first fifty.'),
})
export type ShieldReading = z.output<typeof ShieldReading>

export const ShieldDraft = z.object({
  document: z.string().describe('OpenAPI 3.1 as JSON; empty where the log has nothing to go by.'),
  requests: z.number().int().describe('Requests of the log that it is made from.'),
  operations: z.number().int(),
})
export type ShieldDraft = z.output<typeof ShieldDraft>

const place = '/:tier/site/:siteId/firewall/setting/apiShield'
export const apiShieldDocument = {
  check: endpoint('site.firewall.setting.apiShield.check', 'POST', `${place}/check`, {
    can: 'firewall.read',
    body: z.strictObject({ document: ApiShield.shape.document }),
    reply: ShieldReading,
    beyond: true,
    summary: 'Reads an OpenAPI document as the API shield would, and saves nothing.',
  }),
  draft: endpoint('site.firewall.setting.apiShield.draft', 'GET', `${place}/draft`, {
    can: 'firewall.read',
    reply: ShieldDraft,
    beyond: true,
    summary:
      'An OpenAPI document of what visitors asked for in the last seven days, to be looked through and uploaded.',
  }),
}
