/** The URLs in a sitemap, and in the sitemaps that an index refers to, within limits of time, number and size. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { urlCharsMax } from '@breakwater/contract/fields.ts'
import { AnswerTooLarge } from '../outbound/fetch.ts'
import { preheatTarget } from './preheat-values.ts'
import { parseSitemap } from './sitemap.ts'

/** Per file, uncompressed. */
export const sitemapBytesMax = 10 * 1024 * 1024
/** Per index. */
const sitemapsMax = 50
const redirectsMax = 3

export type SitemapReason =
  | 'notADomainOfThisSite'
  | 'sitemapNotFetched'
  | 'sitemapTooLarge'
  | 'noSitemap'
  | 'emptySitemap'

/** Why there is no list of URLs. */
export class SitemapProblem extends Error {
  readonly reason: SitemapReason
  constructor(reason: SitemapReason) {
    super(reason)
    this.reason = reason
  }
}

export type SitemapSource = {
  isOwn(host: string): boolean
  /** Requests a URL of the site from one of its origins, without following redirects. Throws if none answers. */
  ask(url: string): Promise<Response>
}

export type SitemapUrls = {
  urls: string[]
  /** URLs of other sites, or that a node could not fetch. */
  skipped: number
  /** Whether all files that the sitemap refers to were read. */
  isWhole: boolean
}

/** At most `max` URLs of the site, without duplicates. Throws a SitemapProblem if there are none. */
export async function readSitemap(source: SitemapSource, address: string, max: number): Promise<SitemapUrls> {
  const urls = new Set<string>()
  let skipped = 0
  let isWhole = true
  const take = (locations: readonly string[]) => {
    for (const location of locations) {
      const target = location.length > urlCharsMax ? undefined : preheatTarget(location)
      if (!target || !source.isOwn(target.host)) skipped += 1
      else if (urls.size < max || urls.has(target.url)) urls.add(target.url)
      else isWhole = false
    }
  }
  const first = await readOne(source, address)
  if (!first.isIndex) take(first.locations)
  else {
    if (first.locations.length > sitemapsMax) isWhole = false
    let problem: SitemapProblem | undefined
    for (const location of first.locations.slice(0, sitemapsMax)) {
      if (urls.size >= max) {
        isWhole = false
        break
      }
      try {
        const { isIndex, locations } = await readOne(source, location)
        // An index must not contain another index (sitemaps.org).
        if (isIndex) throw new SitemapProblem('noSitemap')
        take(locations)
      } catch (error) {
        if (!(error instanceof SitemapProblem)) throw error
        problem ??= error
        isWhole = false
      }
    }
    if (urls.size === 0 && problem) throw problem
  }
  if (urls.size === 0) throw new SitemapProblem('emptySitemap')
  return { urls: [...urls], skipped, isWhole }
}

async function readOne(source: SitemapSource, address: string) {
  const parsed = parseSitemap(await unpacked(await fetchOwn(source, address)))
  if (!parsed) throw new SitemapProblem('noSitemap')
  return parsed
}

async function fetchOwn({ isOwn, ask }: SitemapSource, address: string): Promise<Buffer> {
  let url = address
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const target = url.length > urlCharsMax ? undefined : preheatTarget(url)
    if (!target || !isOwn(target.host)) throw new SitemapProblem('notADomainOfThisSite')
    const answer = await ask(target.url).catch((error: unknown) => {
      const reason = error instanceof AnswerTooLarge ? 'sitemapTooLarge' : 'sitemapNotFetched'
      throw Object.assign(new SitemapProblem(reason), { cause: error })
    })
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 308 || location === null) {
      if (answer.status !== 200) throw new SitemapProblem('sitemapNotFetched')
      return Buffer.from(await answer.arrayBuffer())
    }
    if (!URL.canParse(location, target.url)) break
    url = new URL(location, target.url).href
  }
  throw new SitemapProblem('sitemapNotFetched')
}

const unzip = promisify(gunzip)

/** The text of a file, which may be compressed once. Decompression stops at the size limit. */
async function unpacked(file: Buffer): Promise<string> {
  const isPacked = file[0] === 0x1f && file[1] === 0x8b
  try {
    const bytes = isPacked ? await unzip(file, { maxOutputLength: sitemapBytesMax }) : file
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new SitemapProblem(isTooLarge ? 'sitemapTooLarge' : 'noSitemap')
  }
}
