/** Tries a rule set in the lab edge, on ordinary requests and on attacks, compared with the default. */
import { access } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { RuleSetAnswers, RuleSetHits } from '@breakwater/contract/edge/node-disk.ts'
import type { RuleSetTrial } from '@breakwater/contract/nodes/rule-sets.ts'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { Fault } from '../http/fault.ts'
import { askLab, putObject } from '../process/lab.ts'
import { coreRuleSet } from './core-rule-set.ts'
import { attackRequests, benignRequests } from './corpus.ts'
import type { Counts, RuleSetHits as Hits } from './more-often.ts'
import type { RuleSetObject } from './rule-set.ts'

/** The usual settings of a module. */
const paranoia = 1
const threshold = 5
const examplesMax = 10
/** Requests per query; without a prefilter a request may take 50 ms. */
const batch = 100
const patienceMs = 20_000
/** Every rule is evaluated on each of these requests, which may take two seconds. */
const hitsBatch = 8
const hitsParanoia = 4

type Answer = z.output<typeof RuleSetAnswers>['answers'][number]

/** Throws 202001 if the lab is unreachable, or cannot compile the set. */
export async function tryRuleSet(
  dataFolder: string,
  tried: RuleSetObject,
  logger: Pick<Logger, 'warn'>,
): Promise<{ trial: Omit<RuleSetTrial, 'at'>; hits: Hits }> {
  const core = coreRuleSet()
  const levels = new Map(core.texts.map(({ id, level }) => [id, level]))
  const benign = benignRequests()
  const attacks = attackRequests((rule) => levels.get(rule) === paranoia)
  const { ask, countHits } = await openLab(dataFolder, logger)
  const [before, after] = [await ask(core.objects.requests, benign), await ask(tried, benign)]
  const [foundBefore, found] = [await ask(core.objects.requests, attacks), await ask(tried, attacks)]
  const examples = benign.flatMap((request, at) =>
    isRefused(after[at]!) && !isRefused(before[at]!) ? [{ request: lineOf(request), rules: rulesIn(after[at]!) }] : [],
  )
  const trial = {
    ...{ benign: benign.length, refused: countOf(after), refusedBefore: countOf(before) },
    ...{ attacks: attacks.length, found: countOf(found), foundBefore: countOf(foundBefore) },
    examples: examples.slice(0, examplesMax),
  }
  const hits = { own: await countHits(tried, benign), default: await countHits(core.objects.requests, benign) }
  return { trial, hits }
}

const isRefused = ({ score }: Answer): boolean => score >= threshold
const countOf = (answers: Answer[]): number => answers.filter(isRefused).length
const rulesIn = ({ text }: Answer): number[] =>
  text
    .split(' ')
    .map((word) => Number.parseInt(word, 10))
    .filter(Boolean)
const lineOf = ({ method, path, query, body = '' }: SimulatedRequest): string =>
  `${method} ${path}${query === '' ? '' : `?${query}`} ${body}`.trim().slice(0, 300)

async function openLab(dataFolder: string, logger: Pick<Logger, 'warn'>) {
  const lab = join(dataFolder, 'lab')
  const socketPath = join(lab, 'run', 'control.sock')
  await access(socketPath).catch(() => {
    throw new Fault('nodeCommunicationError')
  })

  /** Queries the lab about requests, in batches. */
  async function inBatches<One>(
    { hash, bytes }: RuleSetObject,
    requests: SimulatedRequest[],
    { path, level, size, reply }: { path: string; level: number; size: number; reply: z.ZodType<{ answers: One[] }> },
  ): Promise<One[]> {
    await putObject(lab, hash, bytes)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const answers: One[] = []
      for (let at = 0; at < requests.length; at += size) {
        const question = JSON.stringify({ ruleSet: hash, paranoia: level, requests: requests.slice(at, at + size) })
        const told = await askLab(socketPath, path, question, { agent, timeout: patienceMs })
        answers.push(...reply.parse(JSON.parse(told)).answers)
      }
      return answers
    } catch (error) {
      logger.warn({ err: error }, 'the lab did not try the rule set')
      throw new Fault('nodeCommunicationError')
    } finally {
      agent.destroy()
    }
  }

  return {
    ask: (set: RuleSetObject, requests: SimulatedRequest[]): Promise<Answer[]> =>
      inBatches(set, requests, { path: '/rule-set', level: paranoia, size: batch, reply: RuleSetAnswers }),

    /**
     * How many of the requests each rule matches. Throws if there was not enough time to evaluate all rules: a count
     * would be too low.
     */
    async countHits(set: RuleSetObject, requests: SimulatedRequest[]): Promise<Counts> {
      const how = { path: '/rule-set/hits', level: hitsParanoia, size: hitsBatch, reply: RuleSetHits }
      const answers = await inBatches(set, requests, how)
      if (answers.some(({ isCut }) => isCut)) {
        logger.warn({ ruleSet: set.hash }, 'the lab had no time to ask all rules of the rule set')
        throw new Fault('nodeCommunicationError')
      }
      const counts: Record<number, number> = {}
      for (const rule of answers.flatMap(({ rules }) => rules.split(' ').filter(Boolean)))
        counts[Number(rule)] = (counts[Number(rule)] ?? 0) + 1
      return counts
    },
  }
}
