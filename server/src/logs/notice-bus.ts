/** Notices of fresh rows for this process's live streams: one LISTEN connection while anybody watches. */
import type { Logger } from 'pino'
import { type Notices, openNotices } from '../db/notices.ts'
import { eventsChannel, type RowsNotice } from '../events/notice.ts'

type Listener = (notice: RowsNotice) => void

export type NoticeBus = {
  /** Calls the listener for each notice until the function that it returns is called. */
  subscribe(listener: Listener): () => void
}

export function makeNoticeBus(databaseUrl: string, logger: Logger): NoticeBus {
  const listeners = new Set<Listener>()
  let connection: Promise<Notices> | undefined

  function hear(payload: string): void {
    const notice = JSON.parse(payload) as RowsNotice
    for (const listener of listeners) listener(notice)
  }

  function connect(): void {
    connection ??= openNotices(databaseUrl, { channels: { [eventsChannel]: hear }, restored() {} }, logger)
    connection.catch((error) => {
      logger.warn({ err: error }, 'no notices of fresh rows')
      connection = undefined
    })
  }

  function disconnectWhenIdle(): void {
    if (listeners.size > 0) return
    connection?.then((notices) => notices.close()).catch(() => {})
    connection = undefined
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      connect()
      return () => {
        listeners.delete(listener)
        disconnectWhenIdle()
      }
    },
  }
}
