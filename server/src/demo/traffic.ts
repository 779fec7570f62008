/**
 * A small, bounded traffic generator for the demo site: a few requests per second through this machine's edge, for some
 * hours.
 */
import { request } from 'node:http'

const perSecond = 3
const requestsMax = 50_000

const paths = [
  '/',
  '/',
  '/static/site.css',
  '/static/site.css',
  '/product/1',
  '/product/2',
  '/product/3',
  '/cart',
  '/missing',
  '/login',
  '/search?q=lamp',
]
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'demo-crawler/1.0',
]
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

/** Sends requests to the edge on loopback until stopped, or until the maximum is reached. */
export function startTraffic(port: number, host: string): { stop(): void } {
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    if (sent > requestsMax) return clearInterval(timer)
    const visit = request(
      {
        host: '127.0.0.1',
        port,
        path: pick(paths),
        headers: { host, 'user-agent': pick(agents), accept: 'text/html' },
      },
      (response) => response.resume(),
    )
    // The edge may be starting up or refusing requests: the demo shows either.
    visit.on('error', () => undefined)
    visit.end()
  }, 1000 / perSecond)
  return { stop: () => clearInterval(timer) }
}
