/**
 * Statements that are asked again and again keep their plans on each connection (prepared statements). Planning one under
 * row-level security takes 0.2 to 2 ms, several times what it takes to run. A plan holds no caller: scopes are settings
 * that are read while a statement runs, and PostgreSQL plans again where the role is another.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'

/** How often a process asks a text before connections keep its plan, and how many texts it keeps plans of: a plan takes some 50 KB of each. */
const askedMin = 20
const keptMax = 150
/** Texts that are counted at once. */
const countedMax = 1_000
/** A plan that is kept expects a few values in a list. */
const listMax = 10

/**
 * Answers whose columns a migration may add to, which PostgreSQL refuses to give with a plan of before; and searches and
 * pages, whose best plan depends on what is asked for.
 */
const isPlannedAnew = (text: string): boolean =>
  /^select \*|"\.\*|\breturning \*|\blike\b|\blimit\b|\boffset\b/i.test(text)

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > listMax

class KeptPlans {
  private readonly asked = new Map<string, number>()
  private readonly names = new Map<string, string>()

  /** The name under which a text's plan is kept, once it is. */
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

/** The connections of a pool keep the plans of what is asked with values, through a promise, as the query builder does. */
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
