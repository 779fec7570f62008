/**
 * Asking the lab edge: an nginx without public listeners, run beside the server, that explains a simulated request by the
 * very code that decides real ones. What it lacks is put into its folder first, as an agent does for a node.
 */
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Explanation, type SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { Logger } from 'pino'
import type { Rendered } from '../publish/render.ts'

const patienceMs = 3_000
const answerBytesMax = 1_000_000

/** What each guard says of the request under the artefact, or null where the lab is away or cannot say. */
export async function explainInLab(
  dataFolder: string,
  rendered: Rendered,
  simulated: SimulatedRequest,
  logger: Logger,
): Promise<Explanation | null> {
  const lab = join(dataFolder, 'lab')
  const socketPath = join(lab, 'run', 'control.sock')
  try {
    await access(socketPath)
  } catch {
    return null
  }
  try {
    const { hash, bytes } = rendered.artefact
    for (const [name, content] of [...rendered.objects, [hash, bytes] as const]) await putObject(lab, name, content)
    return Explanation.parse(JSON.parse(await post(socketPath, '/explain', { artefact: hash, request: simulated })))
  } catch (error) {
    logger.warn({ err: error }, 'the lab did not explain')
    return null
  }
}

/** Objects never change: one that is there is right. */
async function putObject(lab: string, hash: string, bytes: Buffer): Promise<void> {
  const folder = join(lab, 'objects', hash.slice(0, 2))
  const path = join(folder, hash)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return
  await mkdir(folder, { recursive: true })
  const draft = `${path}.${crypto.randomUUID()}`
  await writeFile(draft, bytes, { mode: 0o644 })
  await rename(draft, path)
}

function post(socketPath: string, path: string, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', host: 'lab' }
    const options = { socketPath, path, method: 'POST', headers, timeout: patienceMs }
    const request = httpRequest(options, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) {
        text += chunk
        if (text.length > answerBytesMax) return request.destroy(new Error('the answer is too long'))
      }
      if (response.statusCode === 200) resolve(text)
      else reject(new Error(`answered ${response.statusCode}: ${text.slice(0, 200)}`))
    })
    request.on('timeout', () => request.destroy(new Error('took too long')))
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}
