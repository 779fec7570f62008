/**
 * Attacks on sites with automatic protection, and the report of one: what came, from where, and what was done. The
 * report is computed from the log on request, so it is complete only as long as the log is kept.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Locale, MomentText, QueryId, TimeZone } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { SiteAttack } from './site-mode.ts'

/** The most entries in each list of a report. */
export const reportTop = 10
/** The most attacks that are listed, newest first. */
export const attacksMax = 1000

const count = z.number().int()

export const ListedAttack = SiteAttack.extend({ siteID: z.number().int(), siteName: z.string() })
export type ListedAttack = z.output<typeof ListedAttack>

const StoppedAction = wordOf('StoppedAction', 'How a request was stopped.', ['block', 'challenge'])

const Top = z.object({
  /** How many distinct ones there are. */
  distinct: count,
  rows: z.array(z.object({ name: z.string(), requests: count })),
})

/** Counts are of requests. Lists cover those that were refused or challenged. */
export const AttackReport = ListedAttack.extend({
  isWhole: z.boolean().describe('Whether the log still has all of its time.'),
  until: MomentText.describe('Until when rows were counted: its end, or now.'),
  requests: count,
  refused: count,
  challenged: count,
  toOrigin: count.describe('Requests that an origin was asked for.'),
  failures: count.describe('Of these, those that the origin failed to answer.'),
  peak: count.describe('The most requests in a second.'),
  banned: count.describe('Addresses that were banned meanwhile.'),
  guards: z
    .array(z.object({ guard: z.string(), action: StoppedAction, requests: count }))
    .describe('What refused and challenged them, most requests first.'),
  countries: Top,
  addresses: Top,
  paths: Top,
  userAgents: Top,
  series: z.array(z.object({ time: MomentText, requests: count, stopped: count })),
})
export type AttackReport = z.output<typeof AttackReport>

const ReportQuery = z.strictObject({
  attack: QueryId.describe('The attack, by any of the numbers that nodes gave it.'),
})

export const attacks = {
  list: endpoint('attacks.list', 'GET', '/:tier/attacks', {
    can: 'firewall.read',
    query: Paging.extend({ siteID: QueryId.optional() }),
    reply: pageOf(ListedAttack),
    kind: 'list',
    beyond: true,
    summary: 'Lists attacks on sites with automatic whole-site protection, newest first.',
  }),
  report: endpoint('attacks.report', 'GET', '/:tier/attacks/report', {
    can: 'firewall.read',
    query: ReportQuery,
    reply: AttackReport,
    beyond: true,
    summary: 'Returns the report of an attack: its requests, their sources and the actions taken.',
  }),
  pdf: endpoint('attacks.pdf', 'GET', '/:tier/attacks/report/pdf', {
    can: 'firewall.read',
    query: ReportQuery.extend({
      locale: Locale.optional().describe('Its language. Without it: that of the request.'),
      timeZone: TimeZone.default('UTC').describe('In which its times are written.'),
    }),
    kind: 'raw',
    file: 'application/pdf',
    beyond: true,
    summary: 'Returns the same report as a PDF file, under the name of the operator’s brand.',
  }),
}
