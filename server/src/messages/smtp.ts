/** Sends one letter to one mail server, through the guard of outbound requests. */
import { isIP } from 'node:net'
import type { OutboundGuard } from '../outbound/guard.ts'
import type { Message } from './render.ts'

export type MailServer = {
  host: string
  port: number
  account: string
  password: string
  sender: string
  encryption: 'none' | 'starttls' | 'tls'
}

/** Delivery failed; the message is the mail server's own words. `final` if a retry is pointless. */
export class MailError extends Error {
  readonly final: boolean
  constructor(message: string, final: boolean) {
    super(message)
    this.final = final
  }
}

const timeoutMs = 15_000

/** Sends a message. Throws `MailError`. */
export async function sendMail(guard: OutboundGuard, server: MailServer, to: string, message: Message): Promise<void> {
  const [address] = await guard.resolve(server.host).catch(() => {
    throw new MailError(`${server.host}: no such host`, false)
  })
  if (address === undefined) throw new MailError(`${server.host} may not be reached: it is no public address`, false)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: address,
    port: server.port,
    secure: server.encryption === 'tls',
    requireTLS: server.encryption === 'starttls',
    ignoreTLS: server.encryption === 'none',
    ...(server.account ? { auth: { user: server.account, pass: server.password } } : {}),
    tls: isIP(server.host) ? {} : { servername: server.host },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // No part of a letter may be read from a file or the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({ from: server.sender, to, ...message, headers: { 'Auto-Submitted': 'auto-generated' } })
  } catch (error) {
    const { response, responseCode, message: words } = error as Error & { response?: string; responseCode?: number }
    // 5xx is permanent; but a wrong password can be corrected in the settings, and then the letter can be sent.
    throw new MailError((response ?? words).slice(0, 500), (responseCode ?? 0) >= 550 && (responseCode ?? 0) < 560)
  } finally {
    transport.close()
  }
}
