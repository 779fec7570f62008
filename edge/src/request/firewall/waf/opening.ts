/** Which gates the values of a request open. */
import type { WafCollection } from '@breakwater/contract/edge/waf-rules.ts'
import type { Pair, WafMatching } from '../../lib/waf-tools.ts'
import { chosenBy } from './choosing.ts'
import { takeCookies } from './form.ts'
import { type Inspection, valuesMax } from './inspection.ts'
import { recalled, remember } from './memory.ts'
import { gatesOf, type Sieve } from './sieve.ts'
import type { Sieving } from './sieving.ts'

/** `numbers` of the gates that are open, each once, and the texts that open them. */
export type Open = { numbers: number[]; texts: Record<number, Record<string, boolean>> }

/**
 * Until when, in CPU seconds, values are looked at; how many times one has opened a gate; `isCut`: there was no time for
 * all of them.
 */
type Run = { open: Open; until: number; opened: number; isCut: boolean; tools: WafMatching }

/** Nothing where there was no time to ask all values. */
export function openGates(request: Inspection, sieving: Sieving, until: number, tools: WafMatching): Open | undefined {
  const run: Run = { open: { numbers: [], texts: {} }, until, opened: 0, isCut: false, tools }
  takeLine(run, request, sieving)
  takeHeaders(run, request, sieving)
  if (request.hasBody()) takeBody(run, request, sieving)
  for (const from of ofWhole) takeCollection(run, request, sieving, from)
  for (const { sieve, target } of sieving.counts) {
    const isOfHeader = target.from === 'REQUEST_HEADERS' && target.name !== undefined
    const count = isOfHeader ? request.headerCount(target.name!) : chosenBy(request, target, tools).length
    take(run, sieve, `${count}`)
  }
  return run.isCut ? undefined : run.open
}

const ofWhole: readonly WafCollection[] = [
  'ARGS_COMBINED_SIZE',
  'FILES_COMBINED_SIZE',
  'REQBODY_PROCESSOR',
  'REQUEST_BODY_LENGTH',
]

function take(run: Run, sieve: Sieve | undefined, value: string): void {
  if (sieve === undefined || run.isCut) return
  const gates = gatesOf(sieve, value, run.until, run.tools)
  if (gates === undefined) {
    run.isCut = true
    return
  }
  run.opened += gates.length
  const { numbers, texts } = run.open
  for (const gate of gates) {
    let ofGate = texts[gate]
    if (ofGate === undefined) {
      ofGate = {}
      texts[gate] = ofGate
      numbers.push(gate)
    }
    ofGate[value] = true
  }
}

function takeCollection(run: Run, request: Inspection, { sieves }: Sieving, from: WafCollection): void {
  const sieve = sieves[from]
  if (sieve === undefined) return
  for (const { value } of request.collection(from)) take(run, sieve, value)
}

function takePairs(run: Run, pairs: readonly Pair[], ofNames: Sieve | undefined, ofValues: Sieve | undefined): void {
  for (const { name, value } of pairs) {
    take(run, ofNames, name)
    take(run, ofValues, value)
  }
}

const ofLine: readonly WafCollection[] = [
  'REQUEST_METHOD',
  'REQUEST_PROTOCOL',
  'REQUEST_LINE',
  'REQUEST_URI',
  'REQUEST_FILENAME',
  'REQUEST_BASENAME',
  'QUERY_STRING',
]

/** Lines come again: one that opens nothing is not looked into twice. */
function takeLine(run: Run, request: Inspection, sieving: Sieving): void {
  const { method, target, protocol } = request.facts
  const line = `${method} ${target} ${protocol}`
  const { lines } = sieving.clean
  if (recalled(lines, line) === true) return
  const had = run.opened
  for (const from of ofLine) takeCollection(run, request, sieving, from)
  takePairs(run, request.ofQuery(), sieving.sieves.ARGS_NAMES, sieving.sieves.ARGS)
  if (!run.isCut && run.opened === had) remember(lines, line, true)
}

function takeHeaders(run: Run, { facts, lowerNames }: Inspection, sieving: Sieving): void {
  const { sieves, headers } = sieving
  for (let at = 0; at < facts.headers.length; at++) {
    const { name, value } = facts.headers[at]!
    const lower = lowerNames[at]!
    take(run, headers[lower] ?? sieves.REQUEST_HEADERS, value)
    take(run, sieves.REQUEST_HEADERS_NAMES, name)
    if (lower === 'cookie') takeCookieHeader(run, value, sieving)
  }
}

function takeCookieHeader(run: Run, header: string, { sieves, clean }: Sieving): void {
  if (recalled(clean.cookies, header) === true) return
  const had = run.opened
  const cookies: Pair[] = []
  takeCookies(cookies, header, valuesMax)
  takePairs(run, cookies, sieves.REQUEST_COOKIES_NAMES, sieves.REQUEST_COOKIES)
  if (!run.isCut && run.opened === had) remember(clean.cookies, header, true)
}

const ofBody: readonly WafCollection[] = ['FILES', 'FILES_NAMES', 'MULTIPART_PART_HEADERS', 'REQUEST_BODY', 'XML']

function takeBody(run: Run, request: Inspection, sieving: Sieving): void {
  takePairs(run, request.parsed.args, sieving.sieves.ARGS_NAMES, sieving.sieves.ARGS)
  for (const from of ofBody) takeCollection(run, request, sieving, from)
}
