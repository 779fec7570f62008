/** Requests one page in all the ways that browsers, caches and download tools do, and compares each answer. */
import { type Asking, header } from '../../edge/box/transparent/ask.ts'
import { differences, type Own } from './compare.ts'
import type { Recorder } from './recorder.ts'

const browser = 'gzip, deflate, br, zstd'

/** The requests. `etag` and `modified` are those of the page. */
function probesOf(path: string, etag: string | undefined, modified: string | undefined): Asking[] {
  const get = (headers: Record<string, string> = {}, method = 'GET'): Asking => ({ method, path, headers })
  return [
    get({}, 'HEAD'),
    get(),
    get(),
    get(),
    get({}, 'HEAD'),
    get({ 'accept-encoding': browser }),
    get({ 'accept-encoding': browser }),
    get({ 'accept-encoding': browser }, 'HEAD'),
    get({ 'accept-encoding': 'gzip' }),
    get({ 'accept-encoding': 'gzip' }),
    get({ 'accept-encoding': 'identity' }),
    get({ range: 'bytes=0-9' }),
    get({ range: 'bytes=5-' }),
    get({ range: 'bytes=-7' }),
    get({ range: 'bytes=99999999-' }),
    get({ range: 'bytes=0-9', 'if-range': '"another"' }),
    get({ 'if-none-match': '"another"' }),
    get({ 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }),
    ...(etag === undefined
      ? []
      : [
          get({ 'if-none-match': etag }),
          get({ 'if-none-match': etag }, 'HEAD'),
          get({ 'if-none-match': `"another", ${etag}` }),
          get({ 'if-none-match': etag, 'accept-encoding': browser }),
          get({ range: 'bytes=0-9', 'if-range': etag }),
        ]),
    ...(modified === undefined ? [] : [get({ 'if-modified-since': modified })]),
  ]
}

/**
 * Sends each request both ways in turn, and returns the differences as text. A page that changes between two requests
 * needs `own`.
 * @param isLeftOut what the origin itself answers wrongly, so that the edge answers differently from its cache.
 */
export async function probe(
  direct: Recorder,
  edge: Recorder,
  paths: string[],
  headers: Record<string, string> = {},
  own: Own = {},
  isLeftOut: (asking: Asking) => boolean = () => false,
): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const first = await direct.ask({ path, headers })
    for (const probed of probesOf(path, header(first, 'etag'), header(first, 'last-modified'))) {
      if (isLeftOut(probed)) continue
      const asking = { ...probed, headers: { ...headers, ...probed.headers } }
      const said = JSON.stringify(probed.headers)
      const [origin, answer] = [await direct.ask(asking), await edge.ask(asking)]
      for (const difference of differences(asking, origin, answer, own))
        found.push(`${asking.method} ${path} ${said} (${header(answer, 'x-cache')}): ${difference}`)
    }
  }
  return found
}
