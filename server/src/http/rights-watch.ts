/**
 * Responses that outlast the check of their call (streams, files) depend on the caller's rights for as long as they
 * run: the caller is identified again every second, and the response is cut if a right was lost.
 */
import type { ServerResponse } from 'node:http'

/** How often the rights are checked, in ms: a caller who loses one is cut off within two seconds. */
const everyMs = 900
/**
 * How long a check may take, in ms. Normally it is immediate. A database that is busy for some seconds revokes nobody's
 * rights, but one that does not respond for longer cannot confirm them either.
 */
const answerMs = 10_000

/**
 * Cuts a response once `isAllowed` returns false, throws, or does not return in time. A file that is cut is seen as
 * aborted, never as complete. Stops when the response ends.
 */
export function watchRights(response: ServerResponse, isAllowed: () => Promise<boolean>): void {
  let timer: NodeJS.Timeout
  const look = async () => {
    const late = Promise.withResolvers<boolean>()
    const patience = setTimeout(late.resolve, answerMs, false)
    const isStillAllowed = await Promise.race([isAllowed(), late.promise]).catch(() => false)
    clearTimeout(patience)
    if (response.closed || response.destroyed) return
    if (!isStillAllowed) return void response.destroy()
    timer = setTimeout(look, everyMs)
  }
  timer = setTimeout(look, everyMs)
  response.once('close', () => clearTimeout(timer))
}
