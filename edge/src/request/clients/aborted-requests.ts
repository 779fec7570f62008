/**
 * Requests that their client gives up. One connection of HTTP/2 can ask and cancel without end, past the bound of
 * streams at once (CVE-2023-44487); nobody honest cancels so many a second on one connection.
 */
import { keyOf } from '../nginx/live-requests.ts'
import { clientSocket, cutOff } from '../nginx/sockets.ts'

const perSecond = 500
/** nginx's status for a request whose client went away. */
export const clientClosed = 499

/** By descriptor, in this second. */
let aborted: Record<number, number> = {}
let second = 0

/** Counts a request that was given up, in its log phase. */
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
