/**
 * A client that changes a site continuously, and records what was acknowledged: only after a 2xx. A failed change may
 * or may not have been made.
 */
import { signIn } from '../harness/api.ts'
import type { Product } from '../harness/product.ts'
import type { Shop } from '../harness/shop.ts'

type Entry = 'there' | 'gone' | 'unknown'

/** Maximum number of rules of each kind on a site; above it the oldest acknowledged one is removed. */
const KEPT = 25
const PURGE_EVERY = 12

export class Ledger {
  /** Deny rules by the address they refuse, and rate rules by the path they match. */
  readonly denied = new Map<string, Entry>()
  readonly rated = new Map<string, Entry>()
  /** Acknowledged purges. */
  readonly purges: number[] = []
  acknowledged = 0
  failed = 0
  /** Responses that no call may give: neither success nor an error of the catalogue. */
  readonly unclean: string[] = []

  private readonly ids = new Map<string, number>()
  private readonly product: Product
  private readonly shop: Shop
  private readonly network: number
  private number = 0
  private api: Shop['api']

  /** `network` (1 to 250) separates this ledger's addresses from those of others. */
  constructor(product: Product, shop: Shop, network: number) {
    this.product = product
    this.shop = shop
    this.network = network
    this.api = shop.api
  }

  /** Changes the site until the signal is aborted. */
  async write(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.step()
      await new Promise((done) => setTimeout(done, 60))
    }
  }

  private async step() {
    this.number++
    const { of, host } = this.shop
    if (this.number % PURGE_EVERY === 0) {
      const body = { type: 'url', urls: [`http://${host}/kept`] }
      const data = await this.send('DELETE', `${of}/cache`, body)
      if (data) this.purges.push(data.taskID)
      return
    }
    if (this.number % 3 === 0) {
      const path = `/rated-${this.number}`
      await this.add(this.rated, path, 'secondRates', { urlRegex: `^${path}$`, rate: 1, burst: 0 })
    } else {
      const address = `127.${100 + this.network}.${this.number >> 8}.${this.number & 255}`
      await this.add(this.denied, address, 'blacklists', { ips: [address] })
    }
    await this.trim(this.denied, 'blacklists')
    await this.trim(this.rated, 'secondRates')
  }

  private async add(entries: Map<string, Entry>, name: string, calls: string, body: unknown) {
    entries.set(name, 'unknown')
    const data = await this.send('POST', `${this.shop.of}/firewall/l7/${calls}`, body)
    if (!data) return
    this.ids.set(name, data.id)
    entries.set(name, 'there')
  }

  private async trim(entries: Map<string, Entry>, calls: string) {
    const there = [...entries].filter(([, entry]) => entry === 'there')
    if (there.length <= KEPT) return
    const [name] = there[0]!
    entries.set(name, 'unknown')
    const data = await this.send('DELETE', `${this.shop.of}/firewall/l7/${calls}`, { ids: [this.ids.get(name)] })
    if (data !== undefined) entries.set(name, 'gone')
  }

  /** Returns the data of an acknowledged call, or undefined if it failed. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply under test may have any shape
  private async send(method: string, path: string, body: unknown): Promise<any> {
    try {
      const reply = await this.api.call(method, path, body)
      if (reply.status === 200) {
        this.acknowledged++
        return reply.body.data ?? {}
      }
      if (reply.status === 401) {
        const { customer, password } = this.product.accounts
        this.api = await signIn(this.product.url, 'user', customer, password)
      }
      const clean = [101005, 101013, 101014].includes(reply.body.code) || reply.status === 429 || reply.status === 401
      if (!clean) this.unclean.push(`${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`)
    } catch {
      // The connection broke: it is not known whether the call was executed.
    }
    this.failed++
    return undefined
  }
}
