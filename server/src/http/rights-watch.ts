/**
 * Answers that outlast the check of their call (streams, files) are held to the caller's rights for as long as they run:
 * who calls is asked again every second, and an answer whose caller lost a right is cut.
 */
import type { ServerResponse } from 'node:http'

/** How often the rights are asked again, and how long an answer may take, in ms. Together they stay below two seconds. */
const everyMs = 900
const answerMs = 900

/**
 * Cuts a response once `isAllowed` says no, throws, or does not answer in time; a file that is cut reads as broken off,
 * never as complete. Ends with the response.
 */
export function watchRights(response: ServerResponse, isAllowed: () => Promise<boolean>): void {
  let timer: NodeJS.Timeout
  const look = async () => {
    const late = new Promise<boolean>((done) => setTimeout(done, answerMs, false).unref())
    const isStillAllowed = await Promise.race([isAllowed(), late]).catch(() => false)
    if (response.closed || response.destroyed) return
    if (!isStillAllowed) return void response.destroy()
    timer = setTimeout(look, everyMs)
  }
  timer = setTimeout(look, everyMs)
  response.once('close', () => clearTimeout(timer))
}
