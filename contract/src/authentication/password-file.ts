/** Names and password hashes imported from elsewhere, as `htpasswd -B` and `mkpasswd` write them. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const lineMax = 512
export const passwordLinesMax = 6000

/**
 * Whether a hash is accepted: bcrypt of cost 4 to 12, SHA-512 crypt of at most 100,000 rounds, yescrypt of the usual
 * cost. Others are too weak (apr1, SHA-1, plain) or take a node too long to verify.
 */
export function isKnownHash(hash: string): boolean {
  if (/^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/.test(hash)) return true
  const sha = /^\$6\$(?:rounds=([1-9]\d{3,5})\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}$/.exec(hash)
  if (sha) return Number(sha[1] ?? 5000) <= 100_000
  return /^\$y\$j[5-9]T\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}$/.test(hash)
}

export const PasswordFile = z.strictObject({
  lines: z
    .array(z.string().max(lineMax, 'charactersExceedLimit'))
    .min(1, 'required')
    .max(passwordLinesMax, 'itemsExceedLimit')
    .describe('`name:hash` each; blank ones and those that begin with # are left out.'),
})

export const passwordFile = {
  import: endpoint(
    'site.auth.group.basicAuths.import',
    'POST',
    '/:tier/site/:siteId/auth/group/:groupId/basicAuths/import',
    {
      tiers: ['user', 'client'],
      can: 'firewall.write',
      beyond: true,
      body: PasswordFile,
      reply: z.object({ added: z.number().int(), changed: z.number().int() }),
      summary:
        'Takes names and password hashes (bcrypt, SHA-512 crypt, yescrypt) into a group, all or none. Of a name that is there the password is replaced.',
    },
  ),
}
