/** TLS from the edge to a site's origins: the name it asks for (SNI), and which certificates it trusts. */
import { z } from 'zod'
import { HostName } from '../edge/host-name.ts'
import { wordOf } from '../enumeration.ts'
import { settings } from '../settings.ts'

export const originVerifications = ['off', 'system', 'ca', 'pin'] as const

/** The 32 bytes of a SHA-256 in base64. */
const Pin = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'wrongFormat')
const NameOrNone = z.union([z.literal(''), HostName], 'wrongFormat')

/** Enough for a root and its intermediates. */
export const caCharsMax = 65_536

export const OriginTls = z
  .strictObject({
    verify: wordOf(
      'OriginVerification',
      'off believes any certificate; system wants one of a public authority, or of one that the operator set for the zone; ca one of the authority below; pin one of the keys below.',
      originVerifications,
    ),
    ca: z
      .string()
      .trim()
      .max(caCharsMax, 'charactersExceedLimit')
      .describe('For ca: PEM certificates of the authority, its intermediate ones included.'),
    pins: z
      .array(Pin)
      .max(10, 'itemsExceedLimit')
      .describe('For pin: SHA-256 of the public key (SPKI) of an origin’s certificate, in base64.'),
    serverName: NameOrNone.describe('The name asked for in the handshake (SNI) and verified; empty for the Host.'),
    host: NameOrNone.describe('The Host that origins get, over plain HTTP too; empty for the visitor’s.'),
  })
  .superRefine(({ verify, ca, pins }, context) => {
    const missing = verify === 'ca' && ca === '' ? 'ca' : verify === 'pin' && pins.length === 0 ? 'pins' : undefined
    if (missing !== undefined) context.addIssue({ code: 'custom', path: [missing], message: 'required' })
  })
export type OriginTls = z.output<typeof OriginTls>

export const originTls = settings(
  'site',
  'originTls',
  {
    id: 'site.setting.originTls',
    path: 'setting/originTls',
    schema: OriginTls,
    read: 'domains.read',
    write: 'domains.write',
    beyond: true,
    noun: 'TLS towards a site’s origins, and the Host that they get',
  },
  { verify: 'off', ca: '', pins: [], serverName: '', host: '' },
)
