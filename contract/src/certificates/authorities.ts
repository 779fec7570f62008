/** Where automatic certificates come from: the operator's accounts at ACME (RFC 8555) certificate authorities. */
import { z } from 'zod'
import { Email, genericCharsMax } from '../fields.ts'
import { settings } from '../settings.ts'

const optionalEmail = z.union([z.literal(''), Email])
const Secret = z
  .string()
  .trim()
  .max(genericCharsMax, 'charactersExceedLimit')
  .regex(/^[\x21-\x7e]*$/, 'wrongFormat')
const keepsStored = 'Empty keeps the stored one. Never answered.'
const rights = { read: 'settings.read', write: 'settings.write' } as const

/** Let's Encrypt, or any other ACME directory. */
export const Acme = z.strictObject({
  enable: z.boolean().describe('Whether certificates are ordered there.'),
  url: z
    .string()
    .trim()
    .max(genericCharsMax, 'charactersExceedLimit')
    .regex(/^(https:\/\/[^\s/?#@]+(\/[^\s#@]*)?)?$/, 'wrongFormat')
    .describe('The directory; empty for Let’s Encrypt.'),
  email: optionalEmail.describe('Where the authority writes to; empty for nowhere.'),
  profile: z
    .string()
    .max(64, 'charactersExceedLimit')
    .regex(/^[A-Za-z0-9_-]*$/, 'wrongFormat')
    .describe('A profile that the authority offers, for example shortlived; empty for its usual one.'),
  keyID: Secret.describe('The key id of an external account, where the authority wants one.'),
  hmacKey: Secret.describe(`The key of the external account, in base64url. ${keepsStored}`),
  authorities: z
    .string()
    .max(65_536, 'charactersExceedLimit')
    // Whitespace between two certificates can match in one place only: with two, the ways to match would multiply.
    .regex(/^\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)*$/, 'wrongFormat')
    .describe('Who vouches for the directory’s own server where that is private, in PEM.'),
  perSite: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(10_000, 'number')
    .describe('The most domains of a site that have automatic certificates; 0 for no limit.'),
})

const acmeDefaults = { enable: true, url: '', email: '', profile: '', keyID: '', authorities: '', perSite: 1000 }

export const acme = settings(
  'operator',
  'acme',
  {
    id: 'client.setting.acme',
    path: 'setting/acme',
    schema: Acme,
    reply: z.object({ ...Acme.shape, hmacKey: z.literal(''), hmacKeySet: z.boolean() }),
    ...rights,
    beyond: true,
    noun: 'certificate authority; the key of its account is never answered',
  },
  { ...acmeDefaults, hmacKey: '', hmacKeySet: false },
)

export const ZeroSSL = z.strictObject({
  enable: z.boolean().describe('Whether certificates are ordered at ZeroSSL.'),
  accessKey: Secret.describe(`The key of ZeroSSL’s API. ${keepsStored}`),
  email: optionalEmail.describe('Where ZeroSSL writes to; empty for nowhere.'),
})

export const zeroSSL = settings(
  'operator',
  'zeroSSL',
  {
    id: 'client.setting.zeroSSL',
    path: 'setting/zeroSSL',
    schema: ZeroSSL,
    reply: z.object({ ...ZeroSSL.shape, accessKey: z.literal(''), accessKeySet: z.boolean() }),
    ...rights,
    noun: 'account at ZeroSSL; its key is never answered',
  },
  { enable: false, accessKey: '', accessKeySet: false, email: '' },
)

export const GoogleTrust = z.strictObject({
  enable: z.boolean().describe('Whether certificates are ordered at Google Trust Services.'),
  keyID: Secret.describe('The key id of the external account.'),
  hmacKey: Secret.describe(`The key of the external account, in base64url. ${keepsStored}`),
})

export const googleTrust = settings(
  'operator',
  'googleTrust',
  {
    id: 'client.setting.googleTrust',
    path: 'setting/googleTrust',
    schema: GoogleTrust,
    reply: z.object({ ...GoogleTrust.shape, hmacKey: z.literal(''), hmacKeySet: z.boolean() }),
    ...rights,
    noun: 'account at Google Trust Services; its key is never answered',
  },
  { enable: false, keyID: '', hmacKey: '', hmacKeySet: false },
)
