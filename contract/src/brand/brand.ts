/** The operator's names, images and colour, per console and host name. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Memo, MomentText, QueryId } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { accentContrast, contrastMin, isColour } from './colour.ts'
import { Shown, shownBrand } from './shown-brand.ts'

/** The images of a brand, by form field. */
export const brandImages = ['logo', 'sidebarLogo', 'sidebarSimpleLogo', 'favicon', 'backgroundImage'] as const
export type BrandImage = (typeof brandImages)[number]
/** The largest image that is accepted, in bytes. */
export const imageBytesMax = 1_048_576
/** Formats that are decoded; every image is encoded again before it is served. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** The consoles that an operator brands; the vendor's console has a brand of its own. */
export const brandTiers = ['user', 'client'] as const
export const brandsMax = 50
export const hostsMax = 20

/** Splits the text of a form field at its commas. */
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

/** A new image; empty to remove the stored one; absent to keep it. */
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

const Tiers = z
  .array(wordOf('BrandTier', 'A console that a brand is for.', brandTiers))
  .min(1, 'required')
  .max(brandTiers.length, 'itemsExceedLimit')
const Hosts = z.array(Host).max(hostsMax, 'itemsExceedLimit')

/** A brand as the form has it; on the wire, lists are comma-separated texts. */
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

export const Brand = z.object({
  id: z.number().int(),
  ...Shown,
  accent: z.string(),
  tiers: z.array(wordOf('BrandTier', 'A console that a brand is for.', brandTiers)),
  hosts: z.array(z.string()),
  createdAt: MomentText,
})
export type Brand = z.output<typeof Brand>

export const brands = {
  ...shownBrand,
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
    form: true,
    body: BrandForm,
    reply: z.object({ id: z.number().int() }),
    summary: 'Creates a brand from form data: texts, colour and images.',
  }),
  update: endpoint('client.logo.update', 'PUT', '/client/setting/logo', {
    tiers: ['client'],
    can: 'brand.write',
    form: true,
    body: BrandForm.extend({ id: QueryId }),
    summary: 'Updates a brand. An image that is not sent stays; an empty one is removed.',
  }),
  remove: endpoint('client.logo.remove', 'DELETE', '/client/setting/logo', {
    tiers: ['client'],
    can: 'brand.write',
    body: z.strictObject({ id: QueryId }),
    summary: 'Removes a brand. Its consoles go back to default branding.',
  }),
}
