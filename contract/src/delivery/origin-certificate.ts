/** The client certificate that the edge presents to a site's origins (mutual TLS). Its key is never returned. */
import { z } from 'zod'
import { MomentText } from '../fields.ts'
import { settings } from '../settings.ts'

const Pem = z.string().trim().min(1, 'required').max(65_536, 'charactersExceedLimit')

export const OriginCertificate = z.strictObject({
  certificate: Pem.describe('PEM: the certificate that nodes show to origins, intermediate ones behind it.'),
  privateKey: Pem.describe('Its key in PEM. Written, never read.'),
})

export const originCertificate = settings(
  'site',
  'originCertificate',
  {
    id: 'site.setting.originCertificate',
    path: 'setting/originCertificate',
    schema: OriginCertificate,
    reply: z.object({
      isSet: z.boolean(),
      subject: z.string(),
      expired: MomentText.nullable().describe('When it ends.'),
      version: z.number().int(),
    }),
    read: 'domains.read',
    write: 'domains.write',
    beyond: true,
    noun: 'certificate that the edge shows to a site’s origins; its key never leaves',
  },
  { isSet: false, subject: '', expired: null, version: 0 },
)
