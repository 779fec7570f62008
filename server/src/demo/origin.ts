/**
 * The demo's origin: a tiny shop on a loopback address of its own, so that allowing that address opens nothing else.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Linux accepts all of 127.0.0.0/8 as loopback; nothing else of ours listens on this address. */
export const demoAddress = '127.0.0.9'

/** As large as the pages of the made-up days, so that the charts continue without a step. */
const pageBytes = 30_000
const padding = `<!-- ${'The weight of an ordinary page. '.repeat(pageBytes / 32)}-->`

const page = (title: string) =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>The demo origin of Breakwater.</p>${padding}`

/** Starts the origin on a free port. */
export async function startDemoOrigin(): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!
    if (path.startsWith('/static/')) {
      response
        .writeHead(200, { 'content-type': 'text/css', 'cache-control': 'public, max-age=300', 'cache-tag': 'static' })
        .end('body { font-family: sans-serif }'.repeat(1000))
    } else if (path === '/missing') {
      response.writeHead(404, { 'content-type': 'text/html' }).end(page('Not here'))
    } else if (path === '/cart') {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'private' }).end(page('Your cart'))
    } else {
      response
        .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'public, max-age=30' })
        .end(page(`Demo shop ${path.replace(/[^\w/-]/g, '')}`))
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, demoAddress, resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
