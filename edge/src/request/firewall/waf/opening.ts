/** Which gates the values of a request, or of its answer, open. */
import type { WafCollection } from '@breakwater/contract/edge/waf-rules.ts'
import type { Pair, Turn, WafMatching } from '../../lib/waf-tools.ts'
import { chosenBy } from './choosing.ts'
import { takeCookies } from './form.ts'
import { type Inspection, valuesMax } from './inspection.ts'
import { recalled, remember } from './memory.ts'
import { gatesOf, type Sieve } from './sieve.ts'
import type { Opened, Sieving } from './sieving.ts'
import { basename } from './values.ts'

/** The `numbers` of the open gates, each once, and the texts that open them. */
export type Open = { numbers: number[]; texts: Record<number, Record<string, boolean>> }

/** `opened`: what values opened since recording began. `isCut`: time ran out before all values were checked. */
type Run = { open: Open; turn: Turn; opened: Opened[] | undefined; isCut: boolean; tools: WafMatching }

/** Returns undefined if there was no time to check all values. */
export function openGates(request: Inspection, sieving: Sieving, turn: Turn, tools: WafMatching): Open | undefined {
  const run: Run = { open: { numbers: [], texts: {} }, turn, opened: undefined, isCut: false, tools }
  takeLine(run, request, sieving)
  takeHeaders(run, request, sieving)
  if (request.hasBody()) takeBody(run, request, sieving)
  for (const from of ofWhole) takeCollection(run, request, sieving, from)
  if (request.facts.response !== undefined) for (const from of ofAnswer) takeCollection(run, request, sieving, from)
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

const ofAnswer: readonly WafCollection[] = ['RESPONSE_STATUS', 'RESPONSE_HEADERS', 'RESPONSE_BODY']

function take(run: Run, sieve: Sieve | undefined, value: string): void {
  if (sieve === undefined || run.isCut) return
  const gates = gatesOf(sieve, value, run.turn, run.tools)
  if (gates === undefined) {
    run.isCut = true
    return
  }
  for (const gate of gates) open(run, gate, value)
}

function open({ open: { numbers, texts }, opened }: Run, gate: number, text: string): void {
  let ofGate = texts[gate]
  if (ofGate === undefined) {
    ofGate = {}
    texts[gate] = ofGate
    numbers.push(gate)
  }
  ofGate[text] = true
  opened?.push({ gate, text })
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

/** Request lines recur, so what they open is cached if it is only a few gates or none. */
const openedMax = 4

function takeLine(run: Run, request: Inspection, sieving: Sieving): void {
  const { method, target, protocol } = request.facts
  const line = `${method} ${target} ${protocol}`
  const { lines } = sieving
  const known = recalled(lines, line)
  if (known !== undefined) {
    for (const { gate, text } of known) open(run, gate, text)
    return
  }
  run.opened = []
  siftLine(run, request, line, sieving)
  if (!run.isCut && run.opened.length <= openedMax) remember(lines, line, run.opened)
  run.opened = undefined
}

function siftLine(run: Run, request: Inspection, line: string, { sieves }: Sieving): void {
  const { method, target, protocol } = request.facts
  take(run, sieves.REQUEST_METHOD, method)
  take(run, sieves.REQUEST_PROTOCOL, protocol)
  take(run, sieves.REQUEST_LINE, line)
  take(run, sieves.REQUEST_URI, target)
  const path = request.path()
  take(run, sieves.REQUEST_FILENAME, path)
  take(run, sieves.REQUEST_BASENAME, basename(path))
  take(run, sieves.QUERY_STRING, request.query)
  takePairs(run, request.ofQuery(), sieves.ARGS_NAMES, sieves.ARGS)
}

function takeHeaders(run: Run, { facts, lowerNames }: Inspection, sieving: Sieving): void {
  const { sieves, headers } = sieving
  for (let at = 0; at < lowerNames.length; at++) {
    const value = facts.headerValues[at]!
    const lower = lowerNames[at]!
    take(run, headers[lower] ?? sieves.REQUEST_HEADERS, value)
    take(run, sieves.REQUEST_HEADERS_NAMES, facts.headerNames[at]!)
    if (lower === 'cookie') takeCookieHeader(run, value, sieving)
  }
}

function takeCookieHeader(run: Run, header: string, { sieves, cookies: known }: Sieving): void {
  if (recalled(known, header) === true) return
  const cookies: Pair[] = []
  takeCookies(cookies, header, valuesMax)
  run.opened = []
  takePairs(run, cookies, sieves.REQUEST_COOKIES_NAMES, sieves.REQUEST_COOKIES)
  if (!run.isCut && run.opened.length === 0) remember(known, header, true)
  run.opened = undefined
}

/** Collections that only some kinds of bodies have. */
const ofParts: readonly WafCollection[] = ['FILES', 'FILES_NAMES', 'MULTIPART_PART_HEADERS', 'XML']

function takeBody(run: Run, request: Inspection, sieving: Sieving): void {
  const { sieves } = sieving
  takePairs(run, request.parsed.args, sieves.ARGS_NAMES, sieves.ARGS)
  const whole = request.wholeBody()
  if (whole !== undefined) take(run, sieves.REQUEST_BODY, whole)
  if (request.hasParts()) for (const from of ofParts) takeCollection(run, request, sieving, from)
}
