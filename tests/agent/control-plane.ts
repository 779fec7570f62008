/** A control plane for tests: real mutual TLS, real signatures and sealing, everything else in memory. */
import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type BanChange, BanReport, BanReports, bansSignatureText } from '@breakwater/contract/edge/bans.ts'
import { EventBatch, eventHeaders, type RequestRow } from '@breakwater/contract/edge/events.ts'
import {
  EnrolRequest,
  type FeedEntry,
  type FeedReply,
  feedPayload,
  feedSignatureText,
  NodeReport,
  ObjectsRequest,
  RenewRequest,
  SecretsRequest,
  TaskReceipts,
  tasksSignatureText,
} from '@breakwater/contract/edge/node-api.ts'
import {
  encodeReputation,
  type ReputationReply,
  reputationSignatureText,
} from '@breakwater/contract/edge/reputation.ts'
import { rowLinesType, rowOfLine } from '@breakwater/contract/edge/row-lines.ts'
import { makeAuthority } from './authority.ts'
import { makeSigner, type Signer, seal, sha256 } from './sealing.ts'

/** For counters only the fields that they share with requests. */
type Row = Pick<RequestRow, 'site' | 'node'> & Partial<RequestRow>
export type Received = { batch: EventBatch; bytes: string; text: string; rows: Row[]; duplicate: boolean }

const NODE = 7

export class FakeControlPlane {
  readonly folder = mkdtempSync(join(tmpdir(), 'bw-plane-'))
  readonly authority = makeAuthority(this.folder)
  readonly tokens = new Set<string>()
  readonly objects = new Map<string, Buffer>()
  readonly secrets = new Map<string, Buffer>()
  readonly entries = new Map<number, FeedEntry>()
  readonly reports: NodeReport[] = []
  readonly receipts: { id: number; ok: boolean; detail: string }[] = []
  readonly received: Received[] = []
  readonly asked: string[] = []
  signer: Signer = makeSigner('k1')
  vouched: Signer[] = []
  epoch = 1
  /** How far this clock is ahead of the machine's, in seconds. */
  ahead = 0
  head = 0
  /** Follows the head unless set. */
  desiredAt: number | undefined
  tasks: { id: number; body: unknown }[] = []
  /** What other nodes banned and people lifted, with sequence numbers; `banned` is what the node reported. */
  bans: (BanChange & { sequence: number })[] = []
  private banSequence = 0
  /** Networks that no node drops. */
  spared: string[] = []
  reputation: Uint8Array = encodeReputation([])
  readonly banned: BanReport[] = []
  /** Addresses whose bans are refused. */
  readonly refuseBans = new Set<string>()
  sealKey = Buffer.alloc(0)
  /** Changes a reply after it was signed, as an attacker on the path would. */
  tamper: ((reply: FeedReply) => FeedReply) | undefined
  /** What happens to a batch of events: stored, or the answer lost after storing, or refused. */
  ingest: 'store' | 'lose' | 'busy' | number = 'store'
  /** Sites whose rows cause their batch to be refused. */
  readonly refuseSites = new Set<number>()
  /** Whether somebody is watching rows all the time. */
  looks = false
  private looking: NodeJS.Timeout | undefined
  /** Whether enrolment returns a certificate whose lifetime is half over. */
  oldCertificates = false
  /** Fingerprint of the renewed certificate, until its first use revokes the previous one. */
  renewed: string | undefined
  private fingerprint = ''
  private server: Server | undefined
  private port = 0
  private readonly streams = new Set<ServerResponse>()

  get url() {
    return `https://localhost:${this.port}`
  }

  async start(): Promise<void> {
    const { cert, key } = this.authority.server
    this.server = createServer(
      { cert, key, ca: this.authority.certificate, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        this.answer(request, response).catch((error: Error) => {
          response.writeHead(500).end(JSON.stringify({ code: 101002, message: error.message }))
        })
      },
    )
    await new Promise<void>((done) => this.server?.listen(this.port, '127.0.0.1', done))
    this.port = (this.server.address() as AddressInfo).port
    this.looking = setInterval(() => this.looks && this.wake('rows'), 1000)
  }

  /** Goes away and closes every connection. */
  async stop(): Promise<void> {
    const { server } = this
    if (!server) return
    clearInterval(this.looking)
    const closed = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await closed
    this.server = undefined
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  token(): string {
    const token = randomBytes(12).toString('hex')
    this.tokens.add(token)
    return token
  }

  wake(wake: 'feed' | 'tasks' | 'bans' | 'rows') {
    for (const stream of this.streams) stream.write(`${JSON.stringify({ wake })}\n`)
  }

  keep(value: unknown): string {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))
    this.objects.set(sha256(bytes), bytes)
    return sha256(bytes)
  }

  /** Appends an entry to the feed and wakes the node. */
  publish(entry: Omit<FeedEntry, 'sequence'>): number {
    this.head++
    this.entries.set(entry.site, { ...entry, sequence: this.head })
    this.wake('feed')
    return this.head
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'https://plane')
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const json = () => JSON.parse(bytes.toString('utf8')) as unknown
    response.setHeader('date', new Date(Date.now() + this.ahead * 1000).toUTCString())
    const send = (value: unknown, status = 200) => {
      const text = JSON.stringify(value)
      if (request.headers['accept-encoding'] !== 'zstd') return response.writeHead(status).end(text)
      return response.writeHead(status, { 'content-encoding': 'zstd' }).end(zstdCompressSync(text))
    }
    this.asked.push(`${request.method} ${url.pathname}${url.search}`)
    if (url.pathname === '/enrol') return void this.enrol(EnrolRequest.parse(json()), send)
    const peer = (request.socket as TLSSocket).getPeerX509Certificate()
    if (peer && peer.fingerprint256 === this.renewed) {
      this.fingerprint = peer.fingerprint256
      this.renewed = undefined
    }
    if (!(request.socket as TLSSocket).authorized || peer?.fingerprint256 !== this.fingerprint) {
      return void send({ code: 101018, message: 'Permission Denied' }, 403)
    }
    switch (url.pathname) {
      case '/stream':
        this.streams.add(response)
        response.on('close', () => this.streams.delete(response))
        response.writeHead(200).write('{"wake":"beat"}\n')
        if (this.looks) response.write('{"wake":"rows"}\n')
        return
      case '/feed':
        return void send(this.feed(url.searchParams))
      case '/objects':
        return void send({ objects: this.pick(ObjectsRequest.parse(json()).hashes) })
      case '/secrets':
        return void send({ secrets: this.sealed(SecretsRequest.parse(json()).secrets) })
      case '/tasks':
        return void send(this.taskPage(Number(url.searchParams.get('after'))))
      case '/tasks/receipts':
        this.receipts.push(...TaskReceipts.parse(json()).receipts)
        return void send({})
      case '/bans':
        if (request.method === 'GET') return void send(this.banPage(url.searchParams))
        return void send(this.takeBans(BanReports.parse(json()).bans.map((one) => BanReport.parse(one))))
      case '/reputation':
        return void send(this.reputationFile(url.searchParams.get('have') ?? ''))
      case '/renew': {
        const certificate = this.authority.issue(RenewRequest.parse(json()).csr)
        this.renewed = new X509Certificate(certificate).fingerprint256
        return void send({ certificate, authority: this.authority.certificate })
      }
      case '/report':
        this.reports.push(NodeReport.parse(json()))
        return void send({})
      case '/events':
        return void this.take(request, response, bytes, send)
    }
    send({ code: 101004, message: 'API Path Invalid' }, 404)
  }

  private enrol(asked: EnrolRequest, send: (value: unknown, status?: number) => void): void {
    if (!this.tokens.delete(asked.token)) return void send({ code: 101013, message: 'Invalid Token' }, 401)
    const certificate = this.oldCertificates ? this.authority.issueOld(asked.csr) : this.authority.issue(asked.csr)
    this.fingerprint = new X509Certificate(certificate).fingerprint256
    this.sealKey = Buffer.from(asked.sealKey, 'base64')
    const { id, publicKey } = this.signer
    const authority = this.authority.certificate
    send({ nodeId: NODE, zoneId: 2, groupId: 3, certificate, authority, signingKeys: [{ id, publicKey }] })
  }

  private feed(query: URLSearchParams): FeedReply {
    const asked = {
      epoch: Number(query.get('epoch')),
      after: Number(query.get('after')),
      schema: Number(query.get('schema')),
    }
    const desired = this.desiredAt ?? this.head
    const from = asked.epoch === this.epoch ? asked.after : 0
    const entries = [...this.entries.values()]
      .filter((entry) => entry.sequence > from && entry.sequence <= desired)
      .sort((a, b) => a.sequence - b.sequence)
      .slice(0, Number(query.get('limit')))
    const after = entries.length === 0 ? Math.max(from, desired) : (entries.at(-1)?.sequence ?? 0)
    const signingKeys = this.vouched.map(({ id, publicKey }) => ({ id, publicKey }))
    const page = { epoch: this.epoch, after, desired, entries: JSON.stringify(entries), signingKeys }
    const reply = this.sign(page, asked.after)
    return this.tamper ? this.tamper(reply) : reply
  }

  sign(page: Omit<FeedReply, 'signature'>, asked: number): FeedReply {
    return { ...page, signature: this.signer.sign(feedSignatureText(NODE, asked, page, sha256(feedPayload(page)))) }
  }

  private pick(hashes: string[]): Record<string, string> {
    const found = hashes.flatMap((hash) => {
      const bytes = this.objects.get(hash)
      return bytes ? [[hash, bytes.toString('base64')] as const] : []
    })
    return Object.fromEntries(found)
  }

  private sealed(names: { site: number; ref: string }[]): Record<string, string> {
    const found = names.flatMap(({ site, ref }) => {
      const value = this.secrets.get(`${site}/${ref}`)
      return value ? [[`${site}/${ref}`, seal(this.sealKey, `${site}/${ref}`, value)] as const] : []
    })
    return Object.fromEntries(found)
  }

  private taskPage(after: number) {
    const fresh = this.tasks.filter(({ id }) => id > after)
    const tasks = JSON.stringify(fresh)
    const last = fresh.at(-1)?.id ?? 0
    return { tasks, last, signature: this.signer.sign(tasksSignatureText(NODE, after, last, sha256(tasks))) }
  }

  private reputationFile(have: string): ReputationReply {
    const hash = sha256(this.reputation)
    const signature = this.signer.sign(reputationSignatureText(NODE, hash))
    return { hash, signature, ...(have !== hash && { file: Buffer.from(this.reputation).toString('base64') }) }
  }

  private banPage(query: URLSearchParams) {
    const after = Number(query.get('after'))
    const sites = (query.get('sites') ?? '').split(',').filter((site) => site !== '')
    const found = this.bans.filter(
      ({ sequence, site, seconds }) =>
        sequence > after && (sites.length === 0 || sites.includes(`${site}`)) && (after > 0 || seconds > 0),
    )
    const bans = JSON.stringify(found.map(({ site, address, seconds }) => ({ site, address, seconds })))
    const page = { epoch: this.epoch, after: found.at(-1)?.sequence ?? after, more: false, bans }
    const spared = JSON.stringify(this.spared)
    const signature = this.signer.sign(bansSignatureText(NODE, after, page, sha256(bans), sha256(spared)))
    return { ...page, spared, signature }
  }

  /** Adds changes to the list that every node polls. */
  addBans(changes: readonly BanChange[]) {
    for (const { site, address, seconds } of changes)
      this.bans.push({ site, address, seconds, sequence: ++this.banSequence })
  }

  private takeBans(reports: BanReport[]) {
    const refused = reports.filter(({ address }) => this.refuseBans.has(address))
    this.banned.push(...reports)
    this.addBans(reports.filter((report) => !refused.includes(report)))
    return { refused: refused.map(({ site, address }) => ({ site, address })) }
  }

  private take(
    { headers }: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer,
    send: (value: unknown, status?: number) => void,
  ): void {
    const batch = EventBatch.parse({
      kind: headers[eventHeaders.kind],
      boot: headers[eventHeaders.boot],
      sequence: Number(headers[eventHeaders.sequence]),
      rows: Number(headers[eventHeaders.rows]),
    })
    if (typeof this.ingest === 'number') return void send({ code: 101003, message: 'Parameter Error' }, this.ingest)
    if (this.ingest === 'busy') return void send({ code: 101005, message: 'busy' }, 503)
    const identity = JSON.stringify([batch.kind, batch.boot, batch.sequence])
    const duplicate = this.received.some(
      (one) => JSON.stringify([one.batch.kind, one.batch.boot, one.batch.sequence]) === identity,
    )
    const text = zstdDecompressSync(bytes).toString('utf8')
    // A line may end in an empty value, and so in a tab.
    const rows = text
      .replace(/\n$/, '')
      .split('\n')
      .map((line): Row => {
        const row = headers['content-type'] === rowLinesType ? rowOfLine(line) : JSON.parse(line)
        if (!row) throw new Error(`not a row: ${line}`)
        return row
      })
    if (rows.some(({ site, node }) => node !== NODE || site === 0 || this.refuseSites.has(site))) {
      return void send({ code: 101018, message: 'Permission Denied' }, 403)
    }
    this.received.push({ batch, bytes: sha256(bytes), text, rows, duplicate })
    if (this.ingest === 'lose') return void response.destroy()
    send({ stored: !duplicate, duplicate })
  }
}
