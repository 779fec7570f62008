/**
 * Whose signatures on WAF rule sets the operator trusts: OpenPGP keys (RFC 9580), such as the OWASP CRS project's,
 * which sign its releases.
 */
import { z } from 'zod'
import { MomentText } from '../fields.ts'
import { settings } from '../settings.ts'

/** The most keys of an operator. */
export const publisherKeysMax = 20
/** The most bytes of a detached signature. */
export const signatureBytesMax = 65_536

export const RuleSetPublishers = z.strictObject({
  keys: z
    .string()
    .trim()
    .max(131_072, 'charactersExceedLimit')
    .describe(`Armored OpenPGP public keys, ${publisherKeysMax} at most; empty for none.`),
  required: z.boolean().describe('Whether a rule set without a signature by one of them is refused.'),
})

const fingerprint = z.string().describe('Of the primary key, in hex.')
const name = z.string().describe('The first user ID of the key.')

export const RuleSetPublisher = z.object({ name, fingerprint })
export type RuleSetPublisher = z.output<typeof RuleSetPublisher>

export const RuleSetSigner = z.object({ name, fingerprint, signedAt: MomentText })
export type RuleSetSigner = z.output<typeof RuleSetSigner>

export const ruleSetPublishers = settings(
  'operator',
  'wafPublishers',
  {
    ...{ id: 'client.setting.wafPublishers', path: 'setting/wafPublishers', read: 'zones.read', write: 'zones.write' },
    schema: RuleSetPublishers,
    reply: z.object({ ...RuleSetPublishers.shape, publishers: z.array(RuleSetPublisher) }),
    noun: 'publishers whose signatures on WAF rule sets are trusted',
    beyond: true,
  },
  { keys: '', required: false, publishers: [] },
)
