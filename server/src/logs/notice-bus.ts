/** Notices of fresh rows for this process's live streams: one LISTEN connection while anybody watches. */
import type { Logger } from 'pino'
import { type Notices, openNotices } from '../db/notices.ts'
import { eventsChannel, type RowsNotice } from '../events/notice.ts'

const retryMs = 1_000

type Listener = {
  onNotice(notice: RowsNotice): void
  /** Notices are heard from now on; what came before, or while the connection was away, was not told. */
  onListening(): void
}

export type NoticeBus = {
  /** Tells the listener until the function that it returns is called. */
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
        // Whoever watches is still there.
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
