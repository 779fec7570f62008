/** Statements issued in the same turn of the event loop are sent to the database in one write, which wakes it once. */
import type pg from 'pg'

export function sendTogether(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const { stream } = client.connection as pg.Connection & { stream: { cork(): void; uncork(): void } }
    let isHeld = false
    const held = (...given: unknown[]): unknown => {
      if (!isHeld) {
        isHeld = true
        stream.cork()
        process.nextTick(() => {
          isHeld = false
          stream.uncork()
        })
      }
      return query(...given)
    }
    Object.assign(client, { query: held })
  })
}
