/** OpenAPI 3.1 from the contract, one document a console. */
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import { errors } from '@breakwater/contract/errors.ts'
import { z } from 'zod'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json
  return rest
}

function parameters(endpoint: AnyEndpoint): Json[] {
  const fromPath = [...endpoint.path.matchAll(/:(\w+)/g)]
    .map((match) => match[1]!)
    .filter((name) => name !== 'tier')
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer' } }))
  if (!endpoint.query) return fromPath
  const query = schemaOf(endpoint.query, 'input') as { properties?: Record<string, Json>; required?: string[] }
  const fromQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema,
  }))
  return [...fromPath, ...fromQuery]
}

function replySchema(endpoint: AnyEndpoint): Json {
  if (!endpoint.reply) return { type: 'object' }
  const schema = schemaOf(endpoint.reply, 'output')
  return endpoint.kind === 'list' ? schema : { type: 'object', properties: { data: schema }, required: ['data'] }
}

function operation(endpoint: AnyEndpoint, tier: Tier | undefined): Json {
  const isPublic = endpoint.can === 'public'
  return {
    operationId: tier ? `${tier}.${endpoint.id}` : endpoint.id,
    summary: endpoint.summary,
    tags: [endpoint.id.split('.').slice(0, 2).join('.')],
    parameters: parameters(endpoint),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: {
              [endpoint.form ? 'multipart/form-data' : 'application/json']: {
                schema: schemaOf(endpoint.body, 'input'),
              },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'OK',
        content: {
          [endpoint.kind === 'stream' ? 'text/event-stream' : 'application/json']: { schema: replySchema(endpoint) },
        },
      },
      default: {
        description: 'A refusal of the catalogue',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
    ...(isPublic ? { security: [] } : { 'x-permission': endpoint.can }),
    ...(endpoint.beyond ? { 'x-beyond-specification': true } : {}),
  }
}

/** The document of all endpoints, or of those that one console has. */
export function openapi(endpoints: AnyEndpoint[], only?: Tier): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const isTiered = endpoint.path.startsWith('/:tier')
    for (const tier of isTiered ? endpoint.tiers : [undefined]) {
      if (only && !(tier ? [tier] : endpoint.tiers.length > 0 ? endpoint.tiers : [only]).includes(only)) continue
      const path = endpoint.path.replace('/:tier', tier ? `/${tier}` : '').replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, tier) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Breakwater',
      version: '1.0',
      description: 'Calls of the consoles. Errors carry a code of the catalogue.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'integer', enum: Object.values(errors).map((error) => error.code) },
            message: { type: 'string' },
            extra: {},
            requestId: { type: 'string' },
            errors: { type: 'array', items: { type: 'object' } },
          },
        },
      },
    },
  }
}
