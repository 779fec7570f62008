/** Telegram's bot API, as far as messages need it. */
import { z } from 'zod'
import { guardedFetch } from '../outbound/fetch.ts'
import type { OutboundGuard } from '../outbound/guard.ts'

/** Telegram refused the call; the message is its own description. */
export class TelegramError extends Error {}

const Reply = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  result: z.looseObject({ username: z.string().optional() }).optional(),
})
const textMax = 4096

async function call(guard: OutboundGuard, api: string, token: string, method: string, body: object) {
  let reply: Response
  try {
    reply = await guardedFetch(guard, `${api}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  } catch (error) {
    // The URL contains the token: keep it out of the message.
    throw new TelegramError((error as Error).message.replaceAll(token, '…'))
  }
  const answer = Reply.safeParse(await reply.json().catch(() => undefined))
  if (!answer.success) throw new TelegramError(`no answer of Telegram's (HTTP ${reply.status})`)
  if (!answer.data.ok) throw new TelegramError(answer.data.description ?? `HTTP ${reply.status}`)
  return answer.data.result
}

/** The bot's name. `api` is `https://api.telegram.org` unless the installation configures another. */
export async function botName(guard: OutboundGuard, api: string, token: string): Promise<string> {
  return (await call(guard, api, token, 'getMe', {}))?.username ?? ''
}

export async function sendTelegram(
  guard: OutboundGuard,
  api: string,
  token: string,
  chat: string,
  text: string,
): Promise<void> {
  await call(guard, api, token, 'sendMessage', {
    chat_id: chat,
    text: text.slice(0, textMax),
    link_preview_options: { is_disabled: true },
  })
}
