/** A customer with one site behind a running product, and helpers for tests. */
import { request as httpRequest } from 'node:http'
import { type Api, signIn } from './api.ts'
import type { Product } from './product.ts'
import { until } from './until.ts'

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

export type Shop = {
  api: Api
  /** The API path of the site: `/user/site/7`. */
  of: string
  siteID: number
  host: string
  /**
   * One request through the edge, to the site's preview host unless another is given; `port` is another node's, `from`
   * the client's address.
   */
  visit: (
    path: string,
    headers?: Record<string, string>,
    options?: { method?: string; body?: string | Buffer; port?: number; from?: string },
  ) => Promise<Answer>
  /** A call that must succeed; returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  change: (method: string, path: string, body?: unknown) => Promise<any>
  /** Waits until the saved revision is live on every node. */
  live: () => Promise<void>
}

/** Signs in as the customer and creates a site with one domain and this origin; returns when it is live. */
export async function openShop(
  product: Pick<Product, 'url' | 'edgePort' | 'accounts'>,
  originPort: number,
  name = 'shop',
): Promise<Shop> {
  const api = await signIn(product.url, 'user', product.accounts.customer, product.accounts.password)
  const change: Shop['change'] = async (method, path, body) => {
    const reply = await api.call(method, path, body)
    if (reply.status !== 200)
      throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }
  const { siteID } = await change('POST', '/user/site', { siteName: name })
  const of = `/user/site/${siteID}`
  await change('POST', `${of}/domains`, {
    domains: [{ name: `${name}.example.com`, upstreams: [{ ip: '127.0.0.1', port: originPort }] }],
  })
  const { host } = (await change('GET', of)).preview
  const live = async () => {
    await until('the change to be live', async () => {
      const { nodes, live: done } = await change('GET', `${of}/publish`)
      return nodes > 0 && done === nodes
    })
  }
  await live()
  const visit: Shop['visit'] = (path, headers = {}, options = {}) =>
    new Promise((resolve, reject) => {
      const target = {
        host: '127.0.0.1',
        port: options.port ?? product.edgePort,
        path,
        method: options.method ?? 'GET',
        headers: { host, ...headers },
        agent: false as const,
        localAddress: options.from,
      }
      const request = httpRequest(target, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        )
      })
      request.on('error', reject)
      request.end(options.body)
    })
  return { api, of, siteID, host, visit, change, live }
}
