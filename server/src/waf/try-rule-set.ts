/** Trying a rule set in the lab edge, on ordinary requests and on attacks, beside the default. */
import { access } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { RuleSetAnswers } from '@breakwater/contract/edge/node-disk.ts'
import type { RuleSetTrial } from '@breakwater/contract/nodes/rule-sets.ts'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { Fault } from '../http/fault.ts'
import { askLab, putObject } from '../process/lab.ts'
import { coreRuleSet } from './core-rule-set.ts'
import { attackRequests, benignRequests } from './corpus.ts'
import type { RuleSetObject } from './rule-set.ts'

/** The usual settings of a module. */
const paranoia = 1
const threshold = 5
const examplesMax = 10
/** Of one question; without a prefilter a request may take 50 ms. */
const batch = 100
const patienceMs = 20_000

type Answer = z.output<typeof RuleSetAnswers>['answers'][number]

/** Throws 202001 where the lab is away, or cannot compile the set. */
export async function tryRuleSet(
  dataFolder: string,
  tried: RuleSetObject,
  logger: Pick<Logger, 'warn'>,
): Promise<Omit<RuleSetTrial, 'at'>> {
  const core = coreRuleSet()
  const levels = new Map(core.texts.map(({ id, level }) => [id, level]))
  const benign = benignRequests()
  const attacks = attackRequests((rule) => levels.get(rule) === paranoia)
  const ask = await openLab(dataFolder, logger)
  const [before, after] = [await ask(core.objects.requests, benign), await ask(tried, benign)]
  const [foundBefore, found] = [await ask(core.objects.requests, attacks), await ask(tried, attacks)]
  const examples = benign.flatMap((request, at) =>
    isRefused(after[at]!) && !isRefused(before[at]!) ? [{ request: lineOf(request), rules: rulesIn(after[at]!) }] : [],
  )
  return {
    ...{ benign: benign.length, refused: countOf(after), refusedBefore: countOf(before) },
    ...{ attacks: attacks.length, found: countOf(found), foundBefore: countOf(foundBefore) },
    examples: examples.slice(0, examplesMax),
  }
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
  return async ({ hash, bytes }: RuleSetObject, requests: SimulatedRequest[]): Promise<Answer[]> => {
    await putObject(lab, hash, bytes)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const answers: Answer[] = []
      for (let at = 0; at < requests.length; at += batch) {
        const question = JSON.stringify({ ruleSet: hash, paranoia, requests: requests.slice(at, at + batch) })
        const told = await askLab(socketPath, '/rule-set', question, { agent, timeout: patienceMs })
        answers.push(...RuleSetAnswers.parse(JSON.parse(told)).answers)
      }
      return answers
    } catch (error) {
      logger.warn({ err: error }, 'the lab did not try the rule set')
      throw new Fault('nodeCommunicationError')
    } finally {
      agent.destroy()
    }
  }
}
