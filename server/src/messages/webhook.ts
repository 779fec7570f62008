/**
 * A signed POST. The receiver checks `HMAC-SHA256(secret, timestamp + "." + body)` and that the timestamp is recent.
 */
import { createHmac } from 'node:crypto'
import { guardedFetch } from '../outbound/fetch.ts'
import type { OutboundGuard } from '../outbound/guard.ts'

export async function sendWebhook(
  guard: OutboundGuard,
  url: string,
  secret: string,
  payload: { id: number; event: string; text: string; values: Record<string, string>; at: string },
): Promise<void> {
  const body = JSON.stringify(payload)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const reply = await guardedFetch(guard, url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Breakwater',
      'x-breakwater-timestamp': timestamp,
      'x-breakwater-signature': `sha256=${signature}`,
    },
    body,
  })
  if (!reply.ok) throw new Error(`answered HTTP ${reply.status}`)
}
