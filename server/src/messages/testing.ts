/**
 * Test servers that speak the real protocols: a mail server with mailboxes, Telegram's bot API, and a webhook receiver.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type MailServerUnderTest = {
  port: number
  letters: (Email & { to: { address?: string }[] })[]
  /** Recipients that are rejected, with the server's message for each. */
  refuse: Map<string, string>
  close: () => Promise<void>
}

/** A mail server with one account, `mailer` with the password `right`. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServerUnderTest> {
  const letters: MailServerUnderTest['letters'] = []
  const refuse = new Map<string, string>()
  const server = new SMTPServer({
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'mailer' && password === 'right') return done(null, { user: 'mailer' })
      done(Object.assign(new Error('5.7.8 Who are you?'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, done) {
      const words = refuse.get(address)
      done(words ? Object.assign(new Error(words), { responseCode: 550 }) : null)
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((letter) => {
          letters.push(letter as MailServerUnderTest['letters'][number])
          done()
        })
      })
    },
    ...options,
  })
  server.on('error', () => {
    // A client that disconnects midway, for example after a rejection.
  })
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', () => ready()))
  return {
    port: (server.server.address() as AddressInfo).port,
    letters,
    refuse,
    close: () => new Promise((done) => server.close(() => done())),
  }
}

export type Received = { path: string; headers: Record<string, string | string[] | undefined>; body: string }

/** An HTTP server that records its requests and replies with the result of `answer`. */
export async function startReceiver(answer: (request: Received) => { status?: number; json: unknown }) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      const { status = 200, json } = answer(one)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}
