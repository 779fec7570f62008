/** The routes of the node API, each in brief: which node, which request, which answer. */
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import {
  EnrolRequest,
  NodeReport,
  ObjectsRequest,
  RenewRequest,
  type ReportReply,
  SecretsRequest,
  TaskReceipts,
} from '@breakwater/contract/edge/node-api.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Budget } from '../http/budget.ts'
import { Fault } from '../http/fault.ts'
import { parse } from '../http/parse.ts'
import { banRoutes } from './ban-routes.ts'
import { bundleRoutes } from './bundle-routes.ts'
import { compressed } from './compressed.ts'
import { enrol } from './enrol.ts'
import { eventsRoute } from './events-route.ts'
import { feedPageMax, readFeed } from './feed.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { provenCertificate, refused, withNode } from './node-identity.ts'
import { readSecrets } from './node-secrets.ts'
import { readObjects } from './objects.ts'
import { renew } from './renew.ts'
import { storeReport } from './report.ts'
import { ReportPace } from './report-pace.ts'
import { reputationRoutes } from './reputation-routes.ts'
import { noteSecurity } from './security-event.ts'
import { ServedPages } from './served-pages.ts'
import { openStream } from './stream.ts'
import { tallyRoutes } from './tally-routes.ts'
import { readTasks, storeReceipts } from './tasks.ts'

const wholeNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const FeedQuery = z.object({
  epoch: wholeNumber.max(2 ** 31 - 1),
  after: wholeNumber,
  schema: z.coerce.number().pipe(z.literal(schemaCurrent)),
  can: z
    .string()
    .max(2000)
    .default('')
    .transform((text) => text.split(',')),
  limit: wholeNumber.min(1).max(feedPageMax).default(feedPageMax),
})
const TasksQuery = z.object({ after: wholeNumber })

/** Maximum request sizes in bytes: enrolments are small and come from strangers; a report may list a thousand sites. */
const enrolBytesMax = 32_768
const askBytesMax = 131_072

/** Routes for machines that have a token instead of a certificate. */
const forStrangers = new Set(['/install', '/bundle', '/enrol', '/metrics'])

export function nodeApiRoutes(app: FastifyInstance, parts: NodeApiParts): void {
  // Before any of the body is read. The certificate's node is looked up in the database at each request.
  app.addHook('onRequest', async (request) => {
    if (!forStrangers.has(request.routeOptions.url ?? '') && !provenCertificate(request)) throw refused(parts, request)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 429 || reply.statusCode === 503) reply.header('retry-after', '1')
  })
  app.addHook('onSend', compressed)
  bundleRoutes(app, parts)
  enrolRoute(app, parts)
  pullRoutes(app, parts)
  reportRoutes(app, parts)
  banRoutes(app, parts)
  reputationRoutes(app, parts)
  tallyRoutes(app, parts)
  app.register(async (scope) => eventsRoute(scope, parts))
}

function enrolRoute(app: FastifyInstance, parts: NodeApiParts): void {
  const budget = new Budget()
  app.post('/enrol', { bodyLimit: enrolBytesMax }, async (request) => {
    if (!budget.take(request.ip)) throw tooMany()
    return enrol(parts, parse(EnrolRequest, request.body ?? {}, 'body'), request.ip)
  })
}

const tooMany = () => new Fault('unknownError', undefined, { status: 429, message: 'too many requests' })

/** Routes by which a node fetches data. */
function pullRoutes(app: FastifyInstance, parts: NodeApiParts): void {
  const { services, authority, metrics } = parts
  const served = new ServedPages()
  app.get('/stream', (request, reply) => openStream(parts, request, reply))

  app.get('/feed', (request) => {
    const question = parse(FeedQuery, request.query, 'query')
    metrics.feedPages += 1
    return withNode(parts, request, (db, node) => readFeed(db, node, question, { signer: authority.signer, served }))
  })

  app.post('/objects', { bodyLimit: askBytesMax }, async (request) => {
    const { hashes } = parse(ObjectsRequest, request.body ?? {}, 'body')
    const { reply, bytes, foreign, node } = await withNode(parts, request, async (db, node) => ({
      ...(await readObjects(db, node, hashes, served.of(node.id))),
      node,
    }))
    if (foreign.length > 0) noteSecurity(parts, node, 'foreign objects', { hashes: foreign.slice(0, 10) })
    metrics.objectsSent += Object.keys(reply.objects).length
    metrics.objectBytesSent += bytes
    return reply
  })

  app.post('/secrets', { bodyLimit: askBytesMax }, async (request) => {
    const { secrets } = parse(SecretsRequest, request.body ?? {}, 'body')
    return withNode(parts, request, async (db, node) => {
      const answer = await readSecrets(db, services.vault, node, secrets)
      if ('foreign' in answer) {
        noteSecurity(parts, node, 'foreign secrets', { sites: answer.foreign.slice(0, 10) })
        throw new Fault('permissionDenied')
      }
      metrics.secretsSent += Object.keys(answer.secrets).length
      return answer
    })
  })

  app.get('/tasks', async (request) => {
    const { after } = parse(TasksQuery, request.query, 'query')
    const answer = await withNode(parts, request, (db, node) => readTasks(db, node, after, authority.signer))
    if (answer.last > 0) metrics.tasksSent += 1
    return answer
  })
}

/** Routes by which a node reports. */
function reportRoutes(app: FastifyInstance, parts: NodeApiParts): void {
  const pace = new ReportPace()
  app.post('/renew', { bodyLimit: enrolBytesMax }, (request) => {
    const asked = parse(RenewRequest, request.body ?? {}, 'body')
    return withNode(parts, request, (db, node) => renew(parts, db, node, asked))
  })

  app.post('/tasks/receipts', async (request: FastifyRequest) => {
    const receipts = parse(TaskReceipts, request.body ?? {}, 'body')
    return withNode(parts, request, async (db, node) => {
      const foreign = await storeReceipts(db, node, receipts)
      if (foreign.length > 0) noteSecurity(parts, node, 'foreign receipts', { tasks: foreign.slice(0, 10) })
      return {}
    })
  })

  app.post('/report', async (request: FastifyRequest) => {
    const report = parse(NodeReport, request.body ?? {}, 'body')
    return withNode(parts, request, async (db, node) => {
      if (!pace.take(node.id)) throw tooMany()
      const { foreign, publicAddresses } = await storeReport(db, node, report)
      // This can also be an honest node after a restore: it has sites that the restored control plane does not know.
      if (foreign.length > 0) parts.logger.info({ nodeId: node.id, sites: foreign.slice(0, 10) }, 'unknown exceptions')
      parts.metrics.reports += 1
      return { publicAddresses } satisfies ReportReply
    })
  })
}
