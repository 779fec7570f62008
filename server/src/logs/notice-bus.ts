/** Notices of new rows for this process's live streams: one LISTEN connection while there is a watcher. */
import type { Logger } from 'pino'
import { type Notices, openNotices } from '../db/notices.ts'
import { eventsChannel, type RowsNotice } from '../events/notice.ts'

const retryMs = 1_000

type Listener = {
  onNotice(notice: RowsNotice): void
  /** Notices are received from now on; earlier ones, or those sent while disconnected, are lost. */
  onListening(): void
}

export type NoticeBus = {
  /** Calls the listener until the returned function is called. */
  subscribe(listener: Listener): () => void
}

export function makeNoticeBus(databaseUrl: string, logger: Logger): NoticeBus {
  const listeners = new Set<Listener>()
  let connection: Promise<Notices> | undefined
  let isListening = false

  function hear(payload: string): void {
    const notice = JSON.parse(payload) as RowsNotice
    for (const listener of listeners) listener.onNotice(notice)
  }

  function tellListening(): void {
    isListening = true
    for (const listener of listeners) listener.onListening()
  }

  function connect(): void {
    if (connection !== undefined || listeners.size === 0) return
    const handlers = { channels: { [eventsChannel]: hear }, restored: tellListening }
    const opened = openNotices(databaseUrl, handlers, logger)
    connection = opened
    opened.then(
      () => connection === opened && tellListening(),
      (error) => {
        logger.warn({ err: error }, 'no notices of fresh rows')
        if (connection !== opened) return
        connection = undefined
        // There is still a watcher.
        setTimeout(connect, retryMs).unref()
      },
    )
  }

  function disconnectWhenIdle(): void {
    if (listeners.size > 0) return
    connection?.then((notices) => notices.close()).catch(() => {})
    connection = undefined
    isListening = false
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      if (isListening) listener.onListening()
      else connect()
      return () => {
        listeners.delete(listener)
        disconnectWhenIdle()
      }
    },
  }
}
