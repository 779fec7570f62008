/** The operator's names, pictures and colour, per console and host name (rules P6 to P8). */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { Memo, MomentText } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { accentContrast, contrastMin, isColour } from './colour.ts'

/** The pictures of a brand, by the names of the form. */
export const brandImages = ['logo', 'sidebarLogo', 'sidebarSimpleLogo', 'favicon', 'backgroundImage'] as const
export type BrandImage = (typeof brandImages)[number]
/** The largest picture that is taken, in bytes (gaps B-31). */
export const imageBytesMax = 1_048_576
/** What is decoded; everything that comes is encoded again before it is served. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** The consoles that an operator brands; the vendor's is its own. */
export const brandTiers = ['user', 'client'] as const
export const brandsMax = 50
export const hostsMax = 20

/** What is in a form field as text, separated by commas. */
const split = (value: unknown) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : value

const Host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'charactersExceedLimit')
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'wrongFormat')

const Accent = z
  .string()
  .trim()
  .toLowerCase()
  .refine((hex) => hex === '' || isColour(hex), { message: 'colour', abort: true })
  .refine((hex) => hex === '' || accentContrast(hex) >= contrastMin, 'contrast')

/** A new picture; empty to take the old one away; nothing to leave it. */
const Image = z
  .union([z.literal(''), z.file('imageFormat').max(imageBytesMax, 'imageTooLarge')], 'imageFormat')
  .optional()

const texts = {
  title: Memo.default(''),
  subTitle: Memo.default(''),
  description: z.string().trim().max(1000, 'charactersExceedLimit').default(''),
  copyright: Memo.default(''),
  version: Memo.default('').describe('Shown instead of the product’s version.'),
}

const Tiers = z.array(z.enum(brandTiers)).min(1, 'required').max(brandTiers.length, 'itemsExceedLimit')
const Hosts = z.array(Host).max(hostsMax, 'itemsExceedLimit')

/** A brand as a form has it; on the wire, lists are texts separated by commas. */
export const BrandValues = z.strictObject({
  ...texts,
  accent: Accent.default('').describe('`#rrggbb` with at least 4.5:1 on the light page; empty for the product’s own.'),
  tiers: Tiers,
  hosts: Hosts,
  logo: Image,
  sidebarLogo: Image,
  sidebarSimpleLogo: Image,
  favicon: Image,
  backgroundImage: Image,
})

export const BrandForm = BrandValues.extend({
  tiers: z
    .preprocess(split, Tiers)
    .default([...brandTiers])
    .describe('The consoles that wear it.'),
  hosts: z
    .preprocess(split, Hosts)
    .default([])
    .describe('The host names under which it is worn; none for all that no other brand names.'),
})

const Shown = {
  backgroundImage: z.string().describe('An address on this host, or empty.'),
  copyright: z.string(),
  favicon: z.string(),
  logo: z.string(),
  title: z.string(),
  sidebarLogo: z.string(),
  sidebarSimpleLogo: z.string(),
  version: z.string(),
  subTitle: z.string(),
  description: z.string(),
}

export const LogoInfo = z.object({
  ...Shown,
  palette: z
    .object({ accent: z.string(), accentBg: z.string(), darkAccent: z.string(), darkAccentBg: z.string() })
    .nullable()
    .describe('The operator’s colour for both themes; null for the product’s own.'),
})
export type LogoInfo = z.output<typeof LogoInfo>

export const Brand = z.object({
  id: z.number().int(),
  ...Shown,
  accent: z.string(),
  tiers: z.array(z.enum(brandTiers)),
  hosts: z.array(z.string()),
  createdAt: MomentText,
})
export type Brand = z.output<typeof Brand>

const Id = z.coerce.number('wrongFormat').int('wrongFormat').positive('wrongFormat').max(2_147_483_647, 'wrongFormat')

export const brands = {
  get: endpoint('logo.get', 'GET', '/:tier/logo', {
    tiers,
    can: 'public',
    reply: LogoInfo,
    summary: 'The brand of a console under the host name that was asked; defaults where none is set.',
  }),
  list: endpoint('client.logos.list', 'GET', '/client/setting/logos', {
    tiers: ['client'],
    can: 'brand.read',
    query: Paging,
    reply: pageOf(Brand),
    kind: 'list',
    summary: 'Lists the operator’s brands.',
  }),
  create: endpoint('client.logo.create', 'POST', '/client/setting/logo', {
    tiers: ['client'],
    can: 'brand.write',
    audit: 'client.logo.create',
    form: true,
    body: BrandForm,
    reply: z.object({ id: z.number().int() }),
    summary: 'Makes a brand: texts, colour and pictures as form data.',
  }),
  update: endpoint('client.logo.update', 'PUT', '/client/setting/logo', {
    tiers: ['client'],
    can: 'brand.write',
    audit: 'client.logo.update',
    form: true,
    body: BrandForm.extend({ id: Id }),
    summary: 'Changes a brand. A picture that is not sent stays; an empty one is taken away.',
  }),
  remove: endpoint('client.logo.remove', 'DELETE', '/client/setting/logo', {
    tiers: ['client'],
    can: 'brand.write',
    audit: 'client.logo.remove',
    body: z.strictObject({ id: Id }),
    summary: 'Removes a brand; its consoles wear the product’s own from then on.',
  }),
}
