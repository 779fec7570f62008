/**
 * People who use the console while a test does something else: in a process of its own, so that only the product's
 * slowness is measured.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'

type Message = { tookMs: number[]; failed: number }
/** Minimum number of responses before anything is reported. */
const heardMin = 30

const [address, authorization] = process.argv.slice(2)
if (process.send && address && authorization) await ask(address, authorization)

async function ask(url: string, authorization: string) {
  const heard: Message = { tookMs: [], failed: 0 }
  let isStopped = false
  process.once('message', () => {
    isStopped = true
  })
  while (!isStopped || heard.tookMs.length + heard.failed < heardMin) {
    const at = performance.now()
    const ok = await fetch(url, { headers: { authorization } }).then(
      async (reply) => {
        await reply.text()
        return reply.ok
      },
      () => false,
    )
    if (ok) heard.tookMs.push(performance.now() - at)
    else heard.failed++
    await new Promise((done) => setTimeout(done, 60))
  }
  process.send!(heard, () => process.exit(0))
}

/**
 * Requests the URL again and again; `stop` returns how long the responses took, sorted ascending, and how many failed.
 */
export function startPeople(address: string, authorization: string): { stop: () => Promise<Message> } {
  const child = fork(import.meta.filename, [address, authorization])
  return {
    async stop() {
      child.send('stop')
      const [message] = (await once(child, 'message')) as [Message]
      return { ...message, tookMs: message.tookMs.toSorted((a, b) => a - b) }
    },
  }
}
