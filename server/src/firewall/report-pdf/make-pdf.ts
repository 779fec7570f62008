/**
 * Creates the report's PDF in a separate thread: fonts are unpacked and subset for each PDF, which takes processor
 * time.
 */
import { Worker } from 'node:worker_threads'
import { Fault } from '../../http/fault.ts'
import { turns } from '../../process/in-turn.ts'
import type { Content } from './content.ts'

const timeMaxMs = 30_000
const heapMaxMiB = 256
const busy = 'too many downloads'
const inTurn = turns({ atOnce: 1, waitingMax: 10, waitingOfOneMax: 3, message: busy })

/** Creates a PDF for a tenant. Throws 503 if too many are requested at once, or if one takes more than 30 seconds. */
export const makePdf = (tenantId: number, content: Content): Promise<Buffer> => inTurn(tenantId, () => make(content))

function make(content: Content): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: content,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMiB },
    })
    const timer = setTimeout(() => {
      reject(new Fault('unknownError', undefined, { status: 503, message: busy }))
      worker.terminate()
    }, timeMaxMs)
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
    worker.once('error', reject)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      // Has no effect if the thread has already returned a result or failed.
      reject(new Error(`the thread that makes reports ended with ${code}`))
    })
  })
}
