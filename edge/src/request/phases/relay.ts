/**
 * Asks origins in nginx's place where nginx is not suited to it: it reuses TLS connections by address alone, verifies
 * only against the CAs in its configuration, and takes interim responses (1xx) for the final one. nginx connects to the
 * relay over a unix socket, with the origin's addresses in X-BW-Relay. Only a message's head and its end are parsed.
 * Once a plain-HTTP origin has answered the way nginx expects, nginx asks it directly.
 */
import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'
import { noteAsked } from '../domains/failures.ts'
import { failed, noteManner, succeeded } from '../domains/health.ts'
import { keep, open, type Wanted } from '../domains/origin-connection.ts'
import type { Responses } from '../firewall/waf/responses.ts'
import { framingOf } from '../lib/answer-framing.ts'
import { hostEntry } from '../sites/site-cache.ts'
import { headersOf, isInspected, passInspected } from './inspect-answer.ts'
import { passBody, pump } from './relay-body.ts'

/** Header lines that are read at most. */
const linesMax = 1000
/** No further origin is tried later than this after the first, in seconds; and the number of tries in all. */
const retrySeconds = 15
const triesMax = 3

type Target = { address: string; port: number; healthKey: string }

/** `responses`: the WAF settings for the response, if it is inspected. */
type Plan = { wanted: Wanted; targets: Target[]; site: number; responses: Responses | undefined }

/**
 * Parses what `toward-origin` wrote: the host, the name for TLS or `-`, timeouts in seconds, and the addresses to try.
 */
function readPlan(text: string): Plan {
  const [host, name, timeouts, ...rest] = text.split('|')
  const [connect, firstByte, idle] = timeouts!.split(' ')
  const targets = rest.map((target) => {
    const [address, port, healthKey] = target.split(' ')
    return { address: address!, port: tonumber(port)!, healthKey: healthKey! }
  })
  const entry = hostEntry(host!)
  if (entry === undefined) throw new Error(`the relay knows no ${host}`)
  const wanted = {
    tls: name === '-' ? undefined : entry.site.settings.originTls,
    certificate: entry.site.originCertificate,
    name: name!,
    connectMs: tonumber(connect)! * 1000,
    firstByteMs: tonumber(firstByte)! * 1000,
    idleMs: tonumber(idle)! * 1000,
  }
  return { wanted, targets, site: entry.site.site, responses: entry.domain.responses }
}

type Asked = {
  head: string
  method: string
  isUpgrade: boolean
  hasBody: boolean
  /**
   * Whether it may be sent twice: nothing of it is lost when a connection breaks, and a repetition changes nothing
   * more.
   */
  isRepeatable: boolean
}

const idempotent: Record<string, boolean> = {
  ...{ GET: true, HEAD: true, OPTIONS: true, TRACE: true, PUT: true, DELETE: true },
}

/** The request as the origin gets it. Only a repeatable request may use a kept-alive connection, or keep one alive. */
function readRequest({ responses }: Plan): Asked {
  const vars = ngx.var
  const isUpgrade = vars.http_upgrade !== undefined
  const length = tonumber(vars.http_content_length) ?? 0
  const hasBody = length > 0 || vars.http_transfer_encoding !== undefined
  const method = ngx.req.get_method()
  const isRepeatable = !isUpgrade && !hasBody && idempotent[method] === true
  const kept: string[] = []
  for (const line of ngx.req.raw_header().split('\r\n')) {
    const lower = line.toLowerCase()
    if (lower.startsWith('x-bw-') || (!isUpgrade && lower.startsWith('connection:'))) continue
    // An inspected response must not be compressed.
    if (responses !== undefined && !isUpgrade && lower.startsWith('accept-encoding:')) continue
    if (line !== '') kept.push(line)
  }
  if (!isUpgrade && !isRepeatable) kept.push('Connection: close')
  return { head: `${kept.join('\r\n')}\r\n\r\n`, method, isUpgrade, hasBody, isRepeatable }
}

type Head = { status: number; lines: string[] }

/** One head with its status line, or why there is none. */
function readHead(socket: TcpSocket): Head | OriginFailure {
  const [first, problem] = socket.receive('*l')
  if (first === undefined) return problem === 'timeout' ? 'timeout' : 'reset'
  const [status] = string.match(first, '^HTTP/1%.[01] (%d%d%d)')
  if (status === undefined) return 'invalid'
  const lines = [first]
  while (lines.length < linesMax) {
    const [line, trouble] = socket.receive('*l')
    if (line === undefined) return trouble === 'timeout' ? 'timeout' : 'reset'
    if (line === '') return { status: tonumber(status)!, lines }
    lines.push(line)
  }
  return 'invalid'
}

/** The head of the final response; interim responses are dropped. */
function finalHead(socket: TcpSocket, target: Target): Head | OriginFailure {
  let hasInterim = false
  for (;;) {
    const head = readHead(socket)
    if (typeof head === 'string') return head
    const isInterim = head.status < 200 && head.status !== 101
    if (!isInterim) {
      noteManner(target.address, target.port, hasInterim)
      return head
    }
    hasInterim = true
  }
}

/** The result of a try. `failure` is absent once a response went to the client. */
type Outcome = { failure?: OriginFailure; wasSent: boolean; wasKept: boolean }

/** Passes on a response. Returns whether it was complete and the connection can be reused. */
function passAnswer(socket: TcpSocket, client: TcpSocket, head: Head, asked: Asked, plan: Plan): boolean {
  const { lines, status } = head
  const text = `${lines.join('\r\n')}\r\n\r\n`
  const framing = framingOf(lines, status, asked.method === 'HEAD')
  const { responses, site } = plan
  if (responses !== undefined) {
    const looked = { responses, site, status, method: asked.method, headers: headersOf(lines) }
    if (isInspected(looked, framing)) {
      const passed = passInspected(socket, client, text, framing, looked, ngx.var.http_x_request_id as string)
      return passed === 'whole' && framing.isKept
    }
  }
  client.send(text)
  return passBody(socket, client, framing) && framing.isKept
}

/** Asks one origin. */
function ask(client: TcpSocket, asked: Asked, plan: Plan, target: Target, isFresh: boolean): Outcome {
  const opened = open(target, plan.wanted, isFresh)
  if (typeof opened === 'string') return { failure: opened, wasSent: false, wasKept: false }
  const { socket, isReused } = opened
  socket.send(asked.head)
  const body = asked.hasBody || asked.isUpgrade ? ngx.thread.spawn(() => pump(client, socket)) : undefined
  const head = finalHead(socket, target)
  if (typeof head === 'string') {
    if (body !== undefined) ngx.thread.kill(body)
    socket.close()
    return { failure: head, wasSent: true, wasKept: isReused }
  }
  succeeded(target.healthKey)
  const { connectMs, idleMs } = plan.wanted
  socket.settimeouts(connectMs, idleMs, idleMs)
  const isWhole = passAnswer(socket, client, head, asked, plan)
  if (body !== undefined) ngx.thread.kill(body)
  if (isWhole && asked.isRepeatable) keep(socket)
  else socket.close()
  return { wasSent: true, wasKept: isReused }
}

/** Relays one request. If no origin answers, it sends nothing: nginx sees the connection close. */
export function relayNow(): void {
  const plan = readPlan(ngx.var.http_x_bw_relay as string)
  const asked = readRequest(plan)
  const [client] = ngx.req.socket(true)
  if (client === undefined) throw new Error('the relay has no connection of its own')
  const { connectMs, idleMs } = plan.wanted
  client.settimeouts(connectMs, idleMs, idleMs)
  const id = ngx.var.http_x_request_id as string
  const until = ngx.now() + retrySeconds
  let tries = 0
  for (const target of plan.targets) {
    tries++
    let outcome = ask(client, asked, plan, target, !asked.isRepeatable)
    // The origin may have closed a kept-alive connection in the meantime, which is no sign of a failure.
    if (outcome.wasKept && outcome.failure === 'reset') outcome = ask(client, asked, plan, target, true)
    const { failure, wasSent } = outcome
    const address = `${target.address}:${target.port}`
    if (failure === undefined) {
      if (tries > 1) noteAsked(id, address, '')
      return
    }
    failed(target.healthKey)
    noteAsked(id, address, failure)
    if ((wasSent && !asked.isRepeatable) || tries >= triesMax || ngx.now() > until) return
  }
}
