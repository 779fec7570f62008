/**
 * The shop that the drill attacks: a search that puts its input into SQL unescaped, a sign-in, a cart, and an editor
 * form that stores HTML. It is vulnerable on purpose, and listens on loopback only.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { cart, editor, goods, page, signIn } from './shop-pages.ts'

export type DemoShop = {
  port: number
  /** Number of requests received, and how many of them tried to sign in. */
  asked: () => { requests: number; signIns: number }
  /** The page as last saved in the editor. */
  saved: () => string
  stop: () => Promise<void>
}

const password = 'tide-and-harbour'

function openGoods(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT, price REAL);
    INSERT INTO goods (name, price) VALUES ('Blue mug', 12.5), ('Red mug', 11), ('Tea for two', 24), ('Kettle', 49);
    CREATE TABLE people (mail TEXT, password TEXT);
    INSERT INTO people VALUES ('ada@example.com', 'never-in-clear-text');
  `)
  return database
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

export async function startDemoShop(): Promise<DemoShop> {
  const database = openGoods()
  const counted = { requests: 0, signIns: 0 }
  let article = '<p>Nothing yet.</p>'
  const html = (response: ServerResponse, body: string, status = 200) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(body)

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    counted.requests += 1
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    const isPost = request.method === 'POST'
    if (pathname === '/') return html(response, page('Shop', '<h1>Harbour shop</h1>'))
    if (pathname === '/search') {
      // The hole: quotes are not escaped.
      const found = database
        .prepare(`SELECT id, name, price FROM goods WHERE name LIKE '%${searchParams.get('q') ?? ''}%'`)
        .all()
      return html(response, goods(found))
    }
    if (pathname === '/cart') return html(response, cart(isPost ? await formOf(request) : undefined))
    if (pathname === '/login') {
      if (!isPost) return html(response, signIn())
      counted.signIns += 1
      const form = await formOf(request)
      const isRight = form.get('user') === 'ada@example.com' && form.get('password') === password
      return html(response, isRight ? page('Account', '<h1>Welcome, Ada</h1>') : signIn('Wrong'), isRight ? 200 : 401)
    }
    if (pathname === '/editor') {
      if (isPost) article = (await formOf(request)).get('html') ?? ''
      return html(response, editor(article))
    }
    return html(response, page('Not found', '<h1>Not found</h1>'), 404)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => html(response, `<pre>${error.message}</pre>`, 500))
  })
  // The edge reuses connections: one that the origin closes by itself might close just as the edge sends a request on
  // it.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => ({ ...counted }),
    saved: () => article,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      database.close()
    },
  }
}

/** Valid credentials. */
export const customer = { user: 'ada@example.com', password }
