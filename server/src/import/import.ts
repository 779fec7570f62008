/** Importing sites: creates a draft from an upload, and then the sites of a draft, each of them separately. */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { errors, type FieldIssue } from '@breakwater/contract/errors.ts'
import { type ImportDraft, type ImportOutcome, siteImport } from '@breakwater/contract/import/site-import.ts'
import { requireReachable } from '../domains/origins.ts'
import { faultOf } from '../http/app.ts'
import { writeAudit } from '../http/audit.ts'
import { errorBody, Fault } from '../http/fault.ts'
import { type AuditNote, type Feature, implementOpen, type OpenCall } from '../http/implement.ts'
import { askedLanguage } from '../http/message.ts'
import type { OutboundGuard } from '../outbound/guard.ts'
import type { Services } from '../process/services.ts'
import { type Handlers, makeImportedSite } from './make-imported-site.ts'
import { readApart } from './read-apart.ts'

/** `ordinary` are the features whose calls create what a site has. */
export function siteImportFeature(services: Services, ordinary: readonly Feature[]): Feature {
  const handlers: Handlers = new Map<AnyEndpoint, Feature[number]['handle']>(
    ordinary.flat().map(({ endpoint, handle }) => [endpoint, handle]),
  )
  return implementOpen(siteImport, {
    async draft({ body, caller }) {
      const { kind, file, text, rules } = body
      const bytes = file ? await bytesOf(file) : text ? new TextEncoder().encode(text) : undefined
      const draft = await readApart(caller.tenantId, kind, bytes, rules && (await bytesOf(rules)))
      notePrivateOrigins(draft, services.guard)
      return draft
    },

    async create(call) {
      const outcomes: ImportOutcome[] = []
      // One after the other: each takes the customer's lock.
      for (const [index, site] of call.body.sites.entries()) {
        try {
          outcomes.push({ siteName: site.siteName, siteID: await makeOne(call, index), error: null })
        } catch (error) {
          outcomes.push({ siteName: site.siteName, siteID: 0, error: refusalOf(error, index, call) })
        }
      }
      const made = outcomes.filter(({ siteID }) => siteID > 0)
      call.audit.detail = {
        made: made.map(({ siteID, siteName }) => ({ siteID, siteName })),
        refused: outcomes.length - made.length,
      }
      return { outcomes }
    },
  })

  /** Creates a site, its revision and its audit entry in one transaction. */
  function makeOne(call: OpenCall<typeof siteImport.create>, index: number): Promise<number> {
    const { body, transact, request, ...asking } = call
    const site = body.sites[index]!
    return transact(async (db) => {
      const audit: AuditNote = { action: 'user.site.import' }
      const siteId = await makeImportedSite(
        { ...asking, db, audit },
        handlers,
        services.publisher,
        site,
        body.productID,
      )
      await writeAudit(db, 'user.site.import', { ...asking, audit }, request)
      return siteId
    })
  }
}

const bytesOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer())

/** Notes origins that cannot be reached from outside the old machine's network, before anything is created. */
function notePrivateOrigins(draft: ImportDraft, guard: OutboundGuard): void {
  for (const { site, line, notes } of draft.sites) {
    const origins = new Set(site.domains.flatMap(({ upstreams }) => upstreams.map(({ ip }) => ip)))
    for (const ip of origins) if (!isReachable(ip, guard)) notes.push({ line, text: ip, reason: 'privateOrigin' })
  }
}

function isReachable(ip: string, guard: OutboundGuard): boolean {
  // A single-label name only resolves in the network it comes from.
  if (!ip.includes('.') && !ip.includes(':')) return false
  try {
    requireReachable(guard, [{ ip }], () => '', 'user')
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** The error that an ordinary call would have returned, with the fields of this call. */
function refusalOf(error: unknown, index: number, { request, requestId }: OpenCall<typeof siteImport.create>) {
  const fault = error instanceof Fault ? error : faultOf(error as Parameters<typeof faultOf>[0])
  if (fault.reason === 'unknownError') request.log.error({ err: error }, 'unhandled')
  if (Array.isArray(fault.extra)) {
    const extra = fault.extra.map((issue: FieldIssue) =>
      typeof issue?.field === 'string' ? { ...issue, field: `sites.${index}.${issue.field}` } : issue,
    )
    Object.assign(fault, { extra })
  }
  const {
    code,
    message,
    details = [],
    errors: list = [],
  } = errorBody(fault, requestId, askedLanguage(request.headers['accept-language']))
  return { code: code ?? errors[fault.reason].code, message, details, errors: list }
}
