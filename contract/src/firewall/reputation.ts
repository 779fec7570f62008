/**
 * Where the reputation of addresses comes from (`setting/reputation`, our own): a list from the operator, and the bans
 * of the operator's own nodes. No outside service is queried.
 */
import { z } from 'zod'
import { formatRange, parseRange } from '../addresses.ts'
import { settings } from '../settings.ts'
import { Score, scoreMax } from './reputation-score.ts'

/** The most lines of the operator's list. */
export const reputationLinesMax = 20_000

/** How many points the bans of the operator's nodes add to a score. */
export const banPoints = {
  /** For each site that banned an address once, and for each that did so again. */
  once: 20,
  again: 40,
  /** The most for all sites of one customer together: no single customer's settings ruin a reputation with others. */
  ofCustomer: 50,
  /** Days after which a ban counts half, and after which it is forgotten. */
  halfAfterDays: 7,
  daysMax: 30,
} as const

export type ScoredNetwork = { network: string; score: number }

/** `network,score`, or the network alone, which gets the worst score. Returns undefined if it is neither. */
export function parseScoredNetwork(line: string): ScoredNetwork | undefined {
  const [network = '', given, ...more] = line.split(/[\s,;]+/)
  const range = parseRange(network)
  const score = given === undefined ? scoreMax : /^\d{1,3}$/.test(given) ? Number(given) : undefined
  if (range === undefined || more.length > 0 || !Score.safeParse(score).success) return undefined
  return { network: formatRange(range), score: score! }
}

/**
 * The lines as they are stored: canonical, each network once, without blank lines and comments. Errors name the line.
 */
const ScoredNetworks = z
  .array(z.string().max(128, 'wrongFormat'))
  .max(reputationLinesMax, 'itemsExceedLimit')
  .transform((lines, context): string[] => {
    const seen = new Map<string, number>()
    for (const [at, text] of lines.entries()) {
      const line = text.replace(/#.*$/, '').trim()
      if (line === '') continue
      const entry = parseScoredNetwork(line)
      const message = entry === undefined ? 'wrongFormat' : seen.has(entry.network) ? 'duplicateIP' : undefined
      if (entry === undefined || message !== undefined) {
        context.addIssue({ code: 'custom', message: message!, path: [at] })
        return z.NEVER
      }
      seen.set(entry.network, entry.score)
    }
    return [...seen].map(([network, score]) => `${network},${score}`)
  })

export const reputationSettings = settings(
  'operator',
  'reputation',
  {
    id: 'client.setting.reputation',
    path: 'setting/reputation',
    schema: z.strictObject({
      countsBans: z.boolean().describe('Whether addresses that sites of this operator banned have a score by that.'),
      networks: ScoredNetworks.describe(
        'Lines of an address, a range or a CIDR and its score from 1 to 100, with a comma between; without a score it is 100. Of networks that meet the worst score counts.',
      ),
    }),
    read: 'settings.read',
    write: 'settings.write',
    beyond: true,
    noun: 'reputation of addresses',
  },
  { countsBans: true, networks: [] },
)
