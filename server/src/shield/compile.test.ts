/** Untrusted documents: readable ones become tables, and the others do no harm. */
import { expect, test } from 'vitest'
import { compileDocument } from './compile.ts'
import { documentOf } from './draft.ts'
import { DocumentProblem } from './problem.ts'

const head = 'openapi: 3.1.0\ninfo: { title: t, version: "1" }\n'
const of = (paths: object, more: object = {}) => JSON.stringify({ openapi: '3.1.0', paths, ...more })
const posting = (schema: object, schemas: object = {}) =>
  of({ '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } }, { components: { schemas } })

function problemOf(text: string): string[] {
  try {
    compileDocument(text)
    return []
  } catch (problem) {
    if (!(problem instanceof DocumentProblem)) throw problem
    return [problem.reason, problem.where]
  }
}

test('an unusable document is rejected with its reason and location, whatever it contains', () => {
  const bomb = `${head}a: &a [x,x]\nb: &b [*a,*a]\npaths: {}\n`
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const chain = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`s${n}`, { $ref: `#/components/schemas/s${n + 1}` }]),
  )
  for (const [text, reason, where] of [
    ['', 'syntax', ''],
    ['[]', 'notOpenApi', ''],
    ['swagger: "2.0"', 'notOpenApi', '#/openapi'],
    [`${head}paths: []`, 'notOpenApi', '#/paths'],
    [`${head}paths: {\n`, 'syntax', '4'],
    [`${head}paths: {}\npaths: {}\n`, 'syntax', '4'],
    [bomb, 'aliases', '4'],
    [deep, 'tooDeep', ''],
    ['['.repeat(100_000), 'tooDeep', '1'],
    [
      of({ '/a': { get: { parameters: [{ $ref: 'other.yaml#/p' }] } } }),
      'remoteReference',
      '#/paths/~1a/get/parameters/0',
    ],
    [posting({ $ref: 'http://192.0.2.1/schema.json' }), 'remoteReference'],
    [posting({ $ref: 'file:///etc/passwd' }), 'remoteReference'],
    [posting({ $ref: '#/components/schemas/none' }), 'brokenReference'],
    [posting({ $ref: '#/components/schemas/__proto__' }), 'brokenReference'],
    [posting({ $ref: '#/components/schemas/constructor/name' }), 'brokenReference'],
    [posting({ $ref: '#/components/schemas/a' }, { a: { $ref: '#/components/schemas/a' } }), 'endlessReference'],
    [posting({ $ref: '#/components/schemas/s0' }, chain), 'endlessReference'],
    [
      posting({ $ref: '#/components/schemas/a' }, { a: { allOf: [{ $ref: '#/components/schemas/a' }] } }),
      'endlessReference',
    ],
    [of({ a: {} }), 'wrongPath', '#/paths/a'],
    [of({ '/a?b': {} }), 'wrongPath', '#/paths/~1a?b'],
    [of({ '/{': {} }), 'wrongPath', '#/paths/~1{'],
    [of({ '/a': { get: [] } }), 'wrongPath', '#/paths/~1a/get'],
    [of({ '/a/{x}': { get: {} }, '/a/{y}': { get: {} } }), 'duplicatePath', '#/paths/~1a~1{y}'],
    [of({ '/a': { get: { parameters: [{ in: 'query' }] } } }), 'wrongParameter', '#/paths/~1a/get/parameters/0'],
    [posting({ type: 'file' }), 'wrongSchema'],
    [posting({ type: 'string', minLength: -1 }), 'wrongSchema'],
    [posting({ enum: 'a' }), 'wrongSchema'],
    [posting({ properties: [] }), 'wrongSchema'],
    [of(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`/p${n}`, { get: {} }]))), 'tooMuch', '#/paths'],
  ] as [string, string, string?][])
    expect([text.slice(0, 300), ...problemOf(text)]).toEqual([text.slice(0, 300), reason, where ?? expect.any(String)])
})

test('a schema that contains itself is one row, and what cannot be compared is noted', () => {
  const tree = {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#/components/schemas/tree' } } },
  }
  const { tables, notes } = compileDocument(
    posting(
      { $ref: '#/components/schemas/tree' },
      {
        tree: {
          ...tree,
          not: {},
          properties: { ...tree.properties, mail: { type: 'string', format: 'email', pattern: '(a+)+$' } },
        },
      },
    ),
  )
  const root = tables.operations[0]!.media[0]!.schema!
  const list = tables.schemas[root]!.members![0]!
  expect(tables.schemas[list]!.items).toBe(root)
  expect(notes.map(({ reason }) => reason).sort()).toEqual(['format', 'keyword', 'pattern'])
  expect(notes).toContainEqual({ reason: 'pattern', where: '#/components/schemas/tree/properties/mail/pattern' })
})

test('names with a meaning in JavaScript are treated like any others', () => {
  const text = `{"openapi":"3.0.0","paths":{"/constructor":{"get":{"parameters":[{"name":"__proto__","in":"query","schema":{"type":"object","properties":{"__proto__":{}}}}]}}}}`
  const { tables, operations } = compileDocument(text)
  expect(operations).toEqual([{ id: 1, method: 'GET', path: '/constructor' }])
  expect(tables.operations[0]!.isOpen).toBe(true)
})

test('a draft merges what differs from request to request, and can be uploaded as it is', () => {
  const row = (path: string, requests = 1, names: string[] = [], verb = 'get') => ({ path, requests, names, verb })
  const many = Array.from({ length: 30 }, (_, n) => row(`/users/name-${n}/posts`))
  const uuid = '01234567-89ab-cdef-0123-456789abcdef'
  const { document, requests, operations } = documentOf(
    [
      ...[
        row('/items', 90, ['page', 'a%20b']),
        row('/items', 5, [], 'post'),
        row('/items/1', 3),
        row('/items/22', 4, ['full']),
      ],
      ...[row(`/orders/${uuid}/lines/7`), row('/a{b}/c d', 2), row('/items/', 1), ...many],
    ],
    'shop',
  )
  expect([requests, operations]).toEqual([136, 7])
  const { paths } = JSON.parse(document)
  expect(Object.keys(paths)).toEqual([
    ...['/a%7Bb%7D/c%20d', '/items', '/items/', '/items/{id}', '/orders/{id}/lines/{id2}', '/users/{id}/posts'],
  ])
  expect(paths['/items/{id}'].get.parameters.map(({ name }: { name: string }) => name)).toEqual(['id', 'full'])
  expect(paths['/orders/{id}/lines/{id2}'].get.parameters[0].schema).toEqual({ type: 'string', format: 'uuid' })
  const read = compileDocument(document)
  expect(read.notes).toEqual([])
  expect(read.operations).toHaveLength(7)
})
