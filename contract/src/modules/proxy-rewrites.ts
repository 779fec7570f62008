/**
 * Proxy rewrites: what is requested from an origin instead of the visitor's URL. The cache, the logs and purges keep
 * the visitor's URL; the first rule that matches rewrites, once.
 */
import { z } from 'zod'
import { Priority } from '../fields.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { moduleFamily } from './module-family.ts'
import { checkGroups, targetOf } from './targets.ts'

export const ProxyRewrite = z.strictObject({
  urlRegex: UrlRegex.describe('Matched against the canonical path. `^/a$` is that path, `^/a` begins with it.'),
  target: targetOf(/^\/(?!\/)[\x21\x22\x24-\x7e]*$/).describe(
    'A path; `$1` to `$9` are the groups, `$host`, `$path` and `$query` are the request’s. The query stays as it is unless the target has one.',
  ),
  priority: Priority.default(100).describe('Lower numbers are asked first.'),
  enabled: z.boolean().default(true),
})
export type ProxyRewrite = z.output<typeof ProxyRewrite>

export const proxyRewrites = moduleFamily('proxyRewrites', {
  one: 'proxyRewrite',
  many: 'proxyRewrites',
  items: { one: 'rule', many: 'rules' },
  item: ProxyRewrite,
  max: 200,
  noun: 'rewrite module',
  itemNoun: 'rewrite',
  check: checkGroups,
})
