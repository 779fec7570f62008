/**
 * Requests that their clients cancel. One HTTP/2 connection can send and cancel requests without end, bypassing the
 * limit of concurrent streams (CVE-2023-44487); no honest client cancels so many per second on one connection.
 */
import { keyOf } from '../nginx/live-requests.ts'
import { clientSocket, cutOff } from '../nginx/sockets.ts'

const perSecond = 500
/** nginx's status for a request whose client closed the connection. */
export const clientClosed = 499

/** Cancelled requests by descriptor, in the current second. */
let aborted: Record<number, number> = {}
let second = 0

/** Counts a cancelled request, in its log phase. */
export function noteAborted(): void {
  const fd = clientSocket(keyOf())
  if (fd === undefined) return
  const now = ngx.time()
  if (now !== second) {
    second = now
    aborted = {}
  }
  const count = (aborted[fd] ?? 0) + 1
  aborted[fd] = count
  if (count === perSecond) cutOff(fd)
}
