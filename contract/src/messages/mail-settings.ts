/** The operator's mail server. */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'
import { genericCharsMax, Port } from '../fields.ts'
import { settings } from '../settings.ts'

export const mailEncryptions = ['none', 'starttls', 'tls'] as const
const MailEncryption = wordOf('MailEncryption', 'How the connection to the mail server is protected.', mailEncryptions)

const Host = z
  .string()
  .trim()
  .min(1, 'required')
  .max(253, 'charactersExceedLimit')
  .regex(/^[A-Za-z0-9.:_-]*$/, 'wrongFormat')
// `Harbour <no-reply@harbour.example>` or the address alone; no line break can get into a header.
const Sender = z
  .string()
  .trim()
  .min(1, 'required')
  .max(genericCharsMax, 'charactersExceedLimit')
  .regex(/^([^<>\r\n"]* <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, 'emailError')
const Secret = z
  .string()
  .max(genericCharsMax, 'charactersExceedLimit')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'wrongFormat')

export const MailSettings = z.strictObject({
  enable: z.boolean().describe('Whether letters are sent.'),
  host: Host.describe('The mail server.'),
  port: Port.describe('Its port.'),
  account: z
    .string()
    .trim()
    .max(genericCharsMax, 'charactersExceedLimit')
    .default('')
    .describe('The account there; empty for none.'),
  /** Absent keeps the stored one; it is never returned. */
  password: Secret.optional().describe('Absent keeps the stored one, for the same server only. Never answered.'),
  from: Sender.describe('The sender of letters.'),
  encryption: MailEncryption,
})
export type MailSettings = z.output<typeof MailSettings>

export const mailSettings = settings(
  'operator',
  'mail',
  {
    id: 'client.setting.email',
    path: 'setting/email',
    schema: MailSettings,
    reply: z.object({
      enable: z.boolean(),
      host: z.string(),
      port: z.number().int(),
      account: z.string(),
      password: z.literal(''),
      passwordSet: z.boolean(),
      from: z.string(),
      encryption: MailEncryption,
      tested: z.boolean().describe('Whether these very settings have passed the test.'),
    }),
    read: 'settings.read',
    write: 'settings.write',
    noun: 'mail server; its password is never answered',
  },
  {
    ...{ enable: false, host: '', port: 587, account: '', password: '', passwordSet: false, from: '' },
    ...{ encryption: 'starttls', tested: false },
  },
)
