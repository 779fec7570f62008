/** Notifications of changes through the database: one connection that LISTENs and is reopened when it is lost. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

export type NoticeHandlers = {
  /** The handler for the payloads of each channel. */
  channels: Record<string, (payload: string) => void>
  /** Called when the connection is back: notifications may have been missed. */
  restored(): void
}

export type Notices = { close(): Promise<void> }

const pingMs = 5_000
/** The longest wait between two attempts is half of the outage so far, within these limits. */
const retryMinMs = 100
const retryMaxMs = 5_000

async function connect(url: string, handlers: NoticeHandlers): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'breakwater notices',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  // An unhandled error event would end the process; it is always followed by `end`.
  client.on('error', () => {})
  client.on('notification', ({ channel, payload }) => handlers.channels[channel]?.(payload ?? ''))
  await client.connect()
  try {
    for (const channel of Object.keys(handlers.channels)) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return client
}

/** Resolves when the connection is lost. A periodic query detects a server that vanished silently. */
function lost(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      client.query('select 1').catch(done)
    }, pingMs)
    const done = () => {
      clearInterval(timer)
      resolve()
    }
    client.once('end', done)
  })
}

/** Listens until closed. Rejects if the first connection fails: then the process has no database at all. */
export async function openNotices(url: string, handlers: NoticeHandlers, logger: Logger): Promise<Notices> {
  const stop = new AbortController()
  let client = await connect(url, handlers)
  const keep = async () => {
    while (!stop.signal.aborted) {
      await lost(client)
      client.end().catch(() => {})
      const lostAt = Date.now()
      while (!stop.signal.aborted) {
        const longestMs = Math.min(retryMaxMs, Math.max(retryMinMs, (Date.now() - lostAt) / 2))
        // Full jitter: many processes lose their database at the same moment.
        await pause(Math.random() * longestMs, undefined, { signal: stop.signal }).catch(() => {})
        if (stop.signal.aborted) return
        try {
          client = await connect(url, handlers)
          logger.warn('notices restored')
          handlers.restored()
          break
        } catch (error) {
          logger.warn({ err: error }, 'notices lost')
        }
      }
    }
  }
  const kept = keep()
  return {
    async close() {
      stop.abort()
      await client.end().catch(() => {})
      await kept
    },
  }
}
