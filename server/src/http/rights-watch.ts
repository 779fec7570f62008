/**
 * Answers that outlast the check of their call (streams, files) are held to the caller's rights for as long as they run:
 * who calls is asked again every second, and an answer whose caller lost a right is cut.
 */
import type { ServerResponse } from 'node:http'

/** How often the rights are asked again, in ms: who lost one is cut within two seconds. */
const everyMs = 900
/**
 * How long an answer may take, in ms. It comes at once as a rule; a database that is busy for some seconds takes no right
 * from anybody, and one that says nothing for longer cannot vouch for anybody.
 */
const answerMs = 10_000

/**
 * Cuts a response once `isAllowed` says no, throws, or does not answer in time; a file that is cut reads as broken off,
 * never as complete. Ends with the response.
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
