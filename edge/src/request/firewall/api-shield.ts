/**
 * The API shield: checks a request against the operations of an API document. Path, method and parameters come first; a
 * body is read only if its operation takes JSON with a schema, and only up to the site's limit.
 */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { ApiShieldPart } from '@breakwater/contract/edge/api-shield-part.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import { shieldReasons, shieldRuleStep } from '@breakwater/contract/edge/shield-reasons.ts'
import { beginTrace } from '../lib/begin-trace.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { blocked } from './rule.ts'
import { judgeBody } from './shield/body.ts'
import { type Finding, finding, judgeHeaders, judgePath, judgeQuery } from './shield/parameters.ts'
import { findPath, type GapTexts } from './shield/paths.ts'
import { compileTables, type ShieldOperation, type ShieldTables } from './shield/tables.ts'
import { type Run, runOf } from './shield/values.ts'

type ApiShield = {
  tables: ShieldTables
  observe: boolean
  isOfAllPaths: boolean
  scope: readonly string[]
  bodyBytes: number
  overBudget: ApiShieldPart['overBudget']
}

function isNamed(scope: readonly string[], path: string): boolean {
  for (const one of scope) if (one.endsWith('/') ? path.startsWith(one) : path === one) return true
  return false
}

/** A path that an origin may read as one of the document's counts as in scope. */
function isInScope(shield: ApiShield, { path, otherPaths }: EdgeRequest): boolean {
  if (shield.isOfAllPaths || isNamed(shield.scope, path)) return true
  for (const other of otherPaths ?? []) if (isNamed(shield.scope, other)) return true
  return false
}

type Found = { operation: ShieldOperation | undefined; finding: Finding | undefined }

/** The operation for one reading of the path. OPTIONS passes even without an operation: it asks which ones exist. */
function readPath(run: Run, { nodes, operations }: ShieldTables, method: string, path: string): Found {
  const texts: GapTexts = []
  const end = findPath(nodes, 0, path, 1, texts, 0)
  if (end < 0) return { operation: undefined, finding: finding('unknownPath') }
  const { methods } = nodes[end]!
  const place = methods[method] ?? (method === 'HEAD' ? methods.GET : undefined)
  if (place === undefined)
    return { operation: undefined, finding: method === 'OPTIONS' ? undefined : finding('unknownMethod') }
  const operation = operations[place]!
  return { operation, finding: judgePath(run, operation, texts) }
}

/** All readings must lead to the same operation. */
function readPaths(run: Run, tables: ShieldTables, { method, path, otherPaths }: EdgeRequest): Found {
  const found = readPath(run, tables, method, path)
  if (found.finding !== undefined || otherPaths === undefined) return found
  for (const other of otherPaths) {
    const otherwise = readPath(run, tables, method, other)
    if (otherwise.finding !== undefined) return otherwise
    if (otherwise.operation !== found.operation) return { operation: undefined, finding: finding('unknownPath') }
  }
  return found
}

function judge(shield: ApiShield, operation: ShieldOperation, run: Run, request: EdgeRequest, tools: Tools) {
  // Some requests have a query and others do not: in one trace with other guards, the exit for the latter fails to
  // assemble.
  beginTrace()
  const ofQuery = judgeQuery(run, operation, request, tools)
  const around = tools.waf
  // For a logged request, neither headers nor body are known.
  if (ofQuery !== undefined || around === undefined) return ofQuery
  const ofHeaders = judgeHeaders(run, operation, tools)
  if (ofHeaders !== undefined) return ofHeaders
  if (operation.body === 'none' && !around.hasBody()) return undefined
  return judgeBody(run, operation, { site: request.site, bodyBytes: shield.bodyBytes }, tools, around)
}

/** Keeps only harmless bytes of names that the visitor sent. */
function harmless(text: string): string {
  let out = ''
  for (let at = 0; at < text.length && at < 128; at++) {
    const code = text.charCodeAt(at)
    out += code > 32 && code < 127 && code !== 34 && code !== 92 ? text.charAt(at) : '_'
  }
  return out
}

function check(shield: ApiShield, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (request.path === answerPath || !isInScope(shield, request)) return undefined
  const run = runOf(shield.tables.schemas, tools)
  const { operation, finding: ofPath } = readPaths(run, shield.tables, request)
  if (ofPath === undefined && operation === undefined) return undefined
  const found = ofPath ?? judge(shield, operation!, run, request, tools)
  if (found === undefined) return undefined
  const rule = (operation?.id ?? 0) * shieldRuleStep + found.reason
  const verdict = blocked('apiShield', rule, causes.accessRule)
  request.detail = harmless(found.where)
  const isLet = found.reason === shieldReasons.overBudget && shield.overBudget === 'pass'
  if (!shield.observe && !isLet) return verdict
  request.observed ??= verdict
  return undefined
}

export const apiShield: Guard<ApiShield, 'apiShield'> = {
  name: 'apiShield',
  takes: 'apiShield',
  phase: 'body',
  compile: (part, tools) => ({
    tables: compileTables(part, tools),
    observe: part.mode === 'observe',
    isOfAllPaths: part.scope.includes('/'),
    ...{ scope: part.scope, bodyBytes: part.bodyBytes, overBudget: part.overBudget },
  }),
  check,
}
