/**
 * Requests the newest text of an online licence from the vendor's installation. Only on a user's click, and only where
 * a server is configured.
 */
import { z } from 'zod'
import { Fault } from '../http/fault.ts'
import { guardedFetch } from '../outbound/fetch.ts'
import type { OutboundGuard } from '../outbound/guard.ts'

const bytesMax = 65_536
const Answer = z.object({ data: z.object({ key: z.string() }) })

/**
 * `server` is the vendor's address, such as `https://vendor.example`. Throws 101024 if the server cannot be reached or
 * its answer cannot be parsed, 101022 if it does not know the licence.
 */
export async function askVendor(guard: OutboundGuard, server: string, key: string): Promise<string> {
  if (server === '') throw new Fault('invalidLicenseServer', 'BREAKWATER_LICENSE_SERVER is not set')
  let status: number
  let text: string
  try {
    const reply = await guardedFetch(guard, `${server.replace(/\/$/, '')}/api/v1/license/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    status = reply.status
    text = await reply.text()
  } catch {
    throw new Fault('invalidLicenseServer')
  }
  if (status === 404) throw new Fault('licenseMissing')
  const answer = text.length <= bytesMax && status === 200 ? Answer.safeParse(json(text)) : undefined
  if (!answer?.success) throw new Fault('invalidLicenseServer')
  return answer.data.data.key
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
