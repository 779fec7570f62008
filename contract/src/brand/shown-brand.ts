/** The brand of a console: everything that the sign-in page needs. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'

/** Texts and images of a brand. */
export const Shown = {
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

export const shownBrand = {
  get: endpoint('logo.get', 'GET', '/:tier/logo', {
    tiers,
    can: 'public',
    reply: LogoInfo,
    summary: 'Returns the brand of a console for the requested host name, or the default.',
  }),
}
