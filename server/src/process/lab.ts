/** The lab edge, a process next to the server: its folder of objects, and requests over its control socket. */
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { type Agent, request as httpRequest } from 'node:http'
import { dirname, join } from 'node:path'

const patienceMs = 3_000
const answerBytesMax = 1_000_000

export const labObjectPath = (lab: string, hash: string): string => join(lab, 'objects', hash.slice(0, 2), hash)

/** Objects never change: an existing one is correct. Returns whether it was new. */
export async function putObject(lab: string, hash: string, bytes: Buffer): Promise<boolean> {
  const path = labObjectPath(lab, hash)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return false
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${crypto.randomUUID()}`
  await writeFile(draft, bytes, { mode: 0o644 })
  await rename(draft, path)
  return true
}

/** Posts JSON to the lab's control socket and returns the answer. Throws if there is none, or its status is not 200. */
export function askLab(
  socketPath: string,
  path: string,
  json: string,
  { agent, timeout = patienceMs }: { agent?: Agent; timeout?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', host: 'lab' }
    const options = { socketPath, path, method: 'POST', headers, timeout, ...(agent && { agent }) }
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
    request.end(json)
  })
}
