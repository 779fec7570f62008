/**
 * Frequent statements keep their plans on each connection (prepared statements). Planning a statement under row-level
 * security takes 0.2 to 2 ms, several times as long as running it. A plan is independent of the caller: scopes are
 * settings that are read while a statement runs, and PostgreSQL plans again if the role changes.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'

/**
 * How often a process runs a statement before its connections keep the plan, and how many plans it keeps: one takes
 * about 50 KB per connection.
 */
const askedMin = 20
const keptMax = 150
/** How many statements are counted at a time. */
const countedMax = 1_000
/** A kept plan assumes a few values in a list. */
const listMax = 10

/**
 * Statements never kept: those whose columns a migration may add to, as PostgreSQL then refuses to use an old plan; and
 * searches and pages, whose best plan depends on the values.
 */
const isPlannedAnew = (text: string): boolean =>
  /^select \*|"\.\*|\breturning \*|\blike\b|\blimit\b|\boffset\b/i.test(text)

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > listMax

class KeptPlans {
  private readonly asked = new Map<string, number>()
  private readonly names = new Map<string, string>()

  /** The name of a statement's plan, once it is kept. */
  nameOf(text: string): string | undefined {
    const name = this.names.get(text)
    if (name !== undefined || this.names.size >= keptMax) return name
    const times = (this.asked.get(text) ?? 0) + 1
    if (times < askedMin || isPlannedAnew(text)) {
      if (this.asked.size >= countedMax) this.asked.clear()
      this.asked.set(text, times)
      return undefined
    }
    this.asked.delete(text)
    const made = createHash('sha256').update(text).digest('base64url')
    this.names.set(text, made)
    return made
  }
}

/**
 * Makes a pool's connections keep plans for queries with values that return a promise, as the query builder runs them.
 */
export function keepPlans(pool: pg.Pool): void {
  const plans = new KeptPlans()
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const kept = (...given: unknown[]): unknown => {
      const [text, values] = given
      if (given.length !== 2 || typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
        return query(...given)
      const name = values.some(isLong) ? undefined : plans.nameOf(text)
      return name === undefined ? query(text, values) : query({ name, text, values })
    }
    Object.assign(client, { query: kept })
  })
}
