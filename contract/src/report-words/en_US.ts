/** The wording of an attack report, for its page in the console and for the file that the server creates. */
import type { words as source } from './zh_TW.ts'

export const words = {
  'report.title': 'Attack report',
  'report.of': 'Attack on {site}, {when}',
  'report.lasts': 'Ongoing for {duration} so far.',
  'report.lasted': 'Ended {end}, after {duration}.',
  'report.because.requests': 'Started at {rate} requests per second; the threshold is {limit}. Detected by {nodes}.',
  'report.because.failures':
    'Started at {rate} failed origin requests per second; the threshold is {limit}. Detected by {nodes}.',
  'report.notWhole': 'Part of the logs has expired; the numbers below are incomplete.',
  'report.foot': '{brand}. Counted until {until}.',
  'report.requests': 'Requests',
  'report.peak': 'Peak per second',
  'report.stopped': 'Blocked or challenged',
  'report.passed': 'Passed',
  'report.toOrigin': 'Reached the origin',
  'report.failures': '{n} of them failed',
  'report.addresses': 'Source addresses',
  'report.banned': 'Banned addresses',
  'report.course': 'Requests over time',
  'report.done': 'Actions taken',
  'report.nothingDone': 'Nothing was blocked or challenged.',
  'report.did.block': '{guard} blocked {n} request|{guard} blocked {n} requests',
  'report.did.challenge': '{guard} challenged {n} request|{guard} challenged {n} requests',
  'report.didBan': '{n} address was banned|{n} addresses were banned',
  'report.countries': 'Countries',
  'report.paths': 'Targeted paths',
  'report.userAgents': 'User agents',
  'report.unit': 'blocked or challenged',
  'report.more': '{n} more.',
} as const satisfies Record<keyof typeof source, string>
