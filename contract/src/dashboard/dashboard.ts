/** Dashboards: a person's layout, and what needs attention (screens `dashboard`, `statisticsCustomize`). */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { MomentText } from '../fields.ts'
import { cardTypes, seriesTypes, topTypes } from '../statistics/statistics.ts'

export const gridColumns = 12
const rowsMax = 200
const widgetsMax = 60

const kinds = ['card', 'series', 'top', 'map', 'day', 'month', 'qps'] as const

/**
 * `day` and `month` are series of the last 24 hours and 30 days, `qps` the requests per second of the last six hours,
 * whatever the board's range.
 */
const typesOf: Record<(typeof kinds)[number], readonly number[]> = {
  card: Object.values(cardTypes),
  series: Object.values(seriesTypes),
  top: Object.values(topTypes),
  map: [topTypes.country, topTypes.blockCountry],
  day: Object.values(seriesTypes),
  month: Object.values(seriesTypes),
  qps: [seriesTypes.rate],
}

/** A widget: what it shows, on which board, and its place in a grid of twelve columns. */
export const Widget = z
  .strictObject({
    id: z.string().min(1, 'required').max(40, 'charactersExceedLimit'),
    kind: wordOf('WidgetKind', 'What a widget draws.', kinds),
    type: z.number().int(),
    /** The name of the board; empty for the first page. */
    board: z.string().trim().max(40, 'charactersExceedLimit').default(''),
    x: z
      .number()
      .int()
      .min(0)
      .max(gridColumns - 1),
    y: z.number().int().min(0).max(rowsMax),
    w: z.number().int().min(2).max(gridColumns),
    h: z.number().int().min(1).max(8),
  })
  .refine((widget) => widget.x + widget.w <= gridColumns, { path: ['w'], message: 'wrongFormat' })
  .refine((widget) => typesOf[widget.kind].includes(widget.type), { path: ['type'], message: 'wrongFormat' })
export type Widget = z.output<typeof Widget>

const Widgets = z.object({ widgets: z.array(Widget) })
const Layout = z.strictObject({
  widgets: z
    .array(Widget)
    .max(widgetsMax, 'itemsExceedLimit')
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'wrongFormat'),
})

/** Something that needs attention. `name` is the domain, site, node or rule set; `since` is when it began, if known. */
export const Attention = z.object({
  kind: wordOf('AttentionKind', 'What somebody should look at.', [
    'nodeAway',
    'domainPending',
    'certificateEnding',
    'certificateEnded',
    'certificateFailed',
    'siteUnderAttack',
    'siteNotLive',
    'siteRefused',
    'siteExpiring',
    'siteExpired',
    'ruleSetUpdate',
  ]),
  name: z.string(),
  siteID: z.number().int().nullable(),
  siteName: z.string(),
  nodeID: z.number().int().nullable(),
  zone: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .describe('Of an update of the WAF’s rules: where it can be tested.'),
  since: MomentText.nullable(),
  detail: z.string(),
  count: z.number().int().describe('How many of them there are; `name` is the first.'),
})
export type Attention = z.output<typeof Attention>

export const dashboards = {
  client: endpoint('client.dashboard.get', 'GET', '/client/dashboard', {
    tiers: ['client'],
    can: 'signedIn',
    reply: Widgets,
    summary: 'Returns the layout of one’s dashboards, or the default if none was saved.',
  }),
  updateClient: endpoint('client.dashboard.update', 'PUT', '/client/dashboard', {
    tiers: ['client'],
    can: 'signedIn',
    personOnly: false,
    body: Layout,
    summary: 'Saves the layout of one’s dashboards. An empty one is allowed.',
  }),
  user: endpoint('user.dashboard.get', 'GET', '/user/dashboard', {
    tiers: ['user'],
    can: 'signedIn',
    reply: Widgets,
    summary: 'Returns the layout of one’s dashboards, or the default if none was saved.',
  }),
  updateUser: endpoint('user.dashboard.update', 'PUT', '/user/dashboard', {
    tiers: ['user'],
    can: 'signedIn',
    personOnly: false,
    body: Layout,
    summary: 'Saves the layout of one’s dashboards. An empty one is allowed.',
  }),
  standard: endpoint('dashboard.default', 'GET', '/dashboard/default', {
    tiers: ['user', 'client'],
    can: 'signedIn',
    reply: Widgets,
    summary: 'Returns a console’s default layout.',
  }),
  attention: endpoint('dashboard.attention', 'GET', '/:tier/dashboard/attention', {
    can: 'sites.read',
    reply: z.object({ data: z.array(Attention), total: z.number().int() }),
    kind: 'list',
    beyond: true,
    summary:
      'Lists what needs attention: nodes away, unverified domains, certificates and sites that expire soon, sites that are not live, updates of the WAF’s rules that nobody has tested. At most 50 of each; the domains of one site are one entry.',
  }),
}
