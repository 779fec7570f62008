/** OpenAPI 3.1 from the contract, one document per console. */
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import { errors } from '@breakwater/contract/errors.ts'
import { formatSiteRevision, siteRevisionHeader } from '@breakwater/contract/site-revision.ts'
import type { z } from 'zod'
import { idempotencyHeader, keepsResult } from './idempotency.ts'
import { type Json, SchemaComponents } from './openapi-schemas.ts'
import { bodyOfSeveral } from './removals.ts'

function parameters(endpoint: AnyEndpoint, components: SchemaComponents): Json[] {
  const fromPath = [...endpoint.path.matchAll(/:(\w+)/g)]
    .map((match) => match[1]!)
    .filter((name) => name !== 'tier')
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer' } }))
  const key = keepsResult(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
  if (!endpoint.query) return [...fromPath, ...key]
  const query = components.of(endpoint.query, 'input') as { properties?: Record<string, Json>; required?: string[] }
  const fromQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema,
  }))
  return [...fromPath, ...fromQuery, ...key]
}

function mediaOf({ kind, file }: AnyEndpoint): string {
  if (kind === 'raw') return file
  return kind === 'stream' ? 'text/event-stream' : 'application/json'
}

function replySchema(endpoint: AnyEndpoint, components: SchemaComponents): Json {
  if (endpoint.kind === 'raw')
    return endpoint.file.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
  if (!endpoint.reply) return { type: 'object' }
  const schema = components.of(endpoint.reply, 'output')
  return endpoint.kind === 'list' ? schema : { type: 'object', properties: { data: schema }, required: ['data'] }
}

/** A removal of one item also takes `ids`. */
function bodySchema(endpoint: AnyEndpoint, body: z.ZodType, components: SchemaComponents): Json {
  const given = components.of(body, 'input')
  const several = bodyOfSeveral(endpoint)
  return several ? { anyOf: [given, components.of(several, 'input')] } : given
}

function operation(endpoint: AnyEndpoint, tier: Tier | undefined, components: SchemaComponents): Json {
  const isPublic = endpoint.can === 'public'
  return {
    operationId: tier ? `${tier}.${endpoint.id}` : endpoint.id,
    summary: endpoint.summary,
    tags: [endpoint.id.split('.').slice(0, 2).join('.')],
    parameters: parameters(endpoint, components),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: {
              [endpoint.form ? 'multipart/form-data' : 'application/json']: {
                schema: bodySchema(endpoint, endpoint.body, components),
              },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'OK',
        ...(endpoint.audit && { headers: { [siteRevisionHeader]: { $ref: '#/components/headers/SiteRevision' } } }),
        content: {
          [mediaOf(endpoint)]: { schema: replySchema(endpoint, components) },
        },
      },
      429: { $ref: '#/components/responses/TooManyRequests' },
      503: { $ref: '#/components/responses/Unavailable' },
      default: { $ref: '#/components/responses/Refused' },
    },
    ...(isPublic ? { security: [] } : { 'x-permission': endpoint.can }),
    ...(endpoint.beyond ? { 'x-beyond-specification': true } : {}),
  }
}

/** The document of all endpoints, or of those that one console has. */
export function openapi(endpoints: AnyEndpoint[], only?: Tier): Json {
  const components = new SchemaComponents()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const isTiered = endpoint.path.startsWith('/:tier')
    for (const tier of isTiered ? endpoint.tiers : [undefined]) {
      if (only && !(tier ? [tier] : endpoint.tiers.length > 0 ? endpoint.tiers : [only]).includes(only)) continue
      const path = endpoint.path.replace('/:tier', tier ? `/${tier}` : '').replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, tier, components) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Breakwater',
      version: '1.0',
      description: 'Calls of the consoles. Errors carry a code of the catalogue.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      parameters: { IdempotencyKey: idempotencyKey },
      headers: { RetryAfter: retryAfter, SiteRevision: siteRevision },
      responses: {
        Refused: refusal('A refusal of the catalogue.'),
        TooManyRequests: refusal('Too many requests of this caller.', true),
        Unavailable: refusal('The database or a node does not answer at the moment. Nothing was changed.', true),
      },
      schemas: { ...components.schemas, Error: error, ErrorCode: errorCode, ErrorDetail: errorDetail },
    },
  }
}

const idempotencyKey = {
  name: idempotencyHeader,
  in: 'header',
  required: false,
  description:
    'Makes a repeated call safe: within a day, the same key of the same caller answers the first result and does nothing again. With another call or body it is refused with 422, while the first call still runs with 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const retryAfter = { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 1 } }

const siteRevision = {
  description:
    'The revision that the call made, and of which site. Absent where it published nothing or several sites.',
  schema: { type: 'string', examples: [formatSiteRevision({ siteId: 3, revision: 12 })] },
}

const refusal = (description: string, comesWithRetryAfter = false): Json => ({
  description,
  ...(comesWithRetryAfter && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const errorCode = {
  type: 'integer',
  enum: Object.values(errors).map(({ code }) => code),
  'x-enum-varnames': Object.keys(errors),
  description: `A code of the catalogue: ${Object.values(errors)
    .map(({ code, message }) => `${code} ${message}`)
    .join(', ')}.`,
}

const errorDetail = {
  type: 'object',
  required: ['field', 'reason'],
  properties: {
    field: { type: 'string', description: 'The path of the field, or empty for the whole call.' },
    reason: { type: 'string', description: 'A word or a sentence for why.' },
    max: { type: 'number', description: 'The limit, where there is one.' },
  },
}

const error = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { $ref: '#/components/schemas/ErrorCode' },
    message: { type: 'string' },
    details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
    extra: { description: 'What `details` says, as a list, a text or a number by the code. Prefer `details`.' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      description: 'Only with 101009: each refusal of a call for many items.',
      items: {
        type: 'object',
        required: ['code', 'message', 'targets'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string' },
          targets: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
}
