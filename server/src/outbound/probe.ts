/**
 * Probes an origin once, as the edge would: one HEAD request to a resolved, permitted address, without following
 * redirects.
 */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { OutboundGuard } from './guard.ts'

export type Probe = {
  reachable: boolean
  status: number
  took: number
  detail: 'ok' | 'refused' | 'timeout' | 'tls' | 'dns' | 'private' | 'protocol'
}

const timeoutMs = 4_000

export async function probeOrigin(
  guard: OutboundGuard,
  target: { ip: string; port: number; tls: boolean; hostHeader: string },
): Promise<Probe> {
  const started = performance.now()
  const failed = (detail: Probe['detail']): Probe => ({
    reachable: false,
    status: 0,
    took: Math.round(performance.now() - started),
    detail,
  })
  let addresses: string[]
  try {
    addresses = await guard.resolve(target.ip)
  } catch {
    return failed('dns')
  }
  const address = addresses[0]
  if (address === undefined) return failed('private')
  const host = target.hostHeader || target.ip
  return new Promise((resolve) => {
    const send = target.tls ? httpsRequest : httpRequest
    const request = send({
      host: address,
      port: target.port,
      method: 'HEAD',
      path: '/',
      headers: { host, 'user-agent': 'Breakwater-Probe' },
      timeout: timeoutMs,
      agent: false,
      // The probe only checks that something answers; the edge does not verify an origin's certificate either.
      ...(target.tls ? { rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host.split(':')[0]! }) } : {}),
    })
    request.on('response', (response) => {
      response.resume()
      resolve({
        reachable: true,
        status: response.statusCode ?? 0,
        took: Math.round(performance.now() - started),
        detail: 'ok',
      })
      request.destroy()
    })
    request.on('timeout', () => {
      resolve(failed('timeout'))
      request.destroy()
    })
    request.on('error', (error: NodeJS.ErrnoException) => resolve(failed(detailOf(error))))
    request.end()
  })
}

function detailOf(error: NodeJS.ErrnoException): Probe['detail'] {
  const code = error.code ?? ''
  if (code === 'ETIMEDOUT') return 'timeout'
  if (/SSL|TLS|CERT|EPROTO/.test(code)) return 'tls'
  if (/^HPE_/.test(code) || code === 'ECONNRESET') return 'protocol'
  return 'refused'
}
