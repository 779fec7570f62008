/** Valid and hostile sitemaps: parsed strictly, with limits, and only for the site's own URLs. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readSitemap, type SitemapProblem, sitemapBytesMax } from './read-sitemap.ts'
import { parseSitemap } from './sitemap.ts'

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const set = (...urls: string[]) =>
  `${head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('\n')}</urlset>`
const index = (...urls: string[]) =>
  `${head}<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc><lastmod>2026-01-01</lastmod></sitemap>`).join('')}</sitemapindex>`

test.each([
  [
    set('https://a.example/', ' https://a.example/b?x=1&amp;y=2 '),
    ['https://a.example/', 'https://a.example/b?x=1&y=2'],
  ],
  [`\uFEFF<!-- <loc>no</loc> -->${set('<![CDATA[https://a.example/a&b]]>')}\n`, ['https://a.example/a&b']],
  [
    set('https://a.example/?a=1&b=2', 'https://a.example/&#x41;&#66;'),
    ['https://a.example/?a=1&b=2', 'https://a.example/AB'],
  ],
  ['<s:urlset xmlns:s="x"><s:url><s:loc>u</s:loc></s:url></s:urlset>', ['u']],
  // The URL of an image is not a page.
  ['<urlset><url><loc>u</loc><image:image><image:loc>p</image:loc></image:image><x/></url></urlset>', ['u']],
])('the URLs of a sitemap are read: %s', (text, locations) => {
  expect(parseSitemap(text)).toEqual({ isIndex: false, locations })
})

test.each([
  '',
  'https://a.example/',
  '<!doctype html><html><body>Not found</body></html>',
  '<rss><channel></channel></rss>',
  '<urlset><url><loc>a</loc></url>',
  '<urlset><url><loc>a</url></loc></urlset>',
  '<urlset></urlset><urlset></urlset>',
  '<urlset></urlset>more',
  '<urlset><!-- ',
  '<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>&x;</loc></url></urlset>',
  '<urlset><url><loc>&lol9;</loc></url></urlset>',
  '<urlset><!ENTITY a "b"></urlset>',
  '<urlset><url><loc>&#x110000;</loc></url></urlset>',
  '<a>'.repeat(100_000),
  `<urlset>${'<a>'.repeat(100_000)}`,
  `<urlset>${'<a></a>'.repeat(500_001)}</urlset>`,
])('a text that is not a sitemap, or has declarations, is rejected: %.60s', (text) => {
  expect(parseSitemap(text)).toBeUndefined()
})

const read = async (
  files: Record<string, string | Buffer | Response>,
  max = 1000,
  from = 'https://a.example/s.xml',
) => {
  const asked: string[] = []
  const ask = async (url: string) => {
    asked.push(url)
    const file = files[new URL(url).pathname]
    if (file === undefined) return new Response('no', { status: 404 })
    return file instanceof Response ? file : new Response(file as string)
  }
  const isOwn = (host: string) => host.endsWith('a.example')
  const found = await readSitemap({ isOwn, ask }, from, max).catch((error: SitemapProblem) => error.reason)
  return { found, asked }
}

test('compressed files, indexes and redirects are followed, within the site and a limit', async () => {
  const files = {
    '/s.xml': new Response(null, { status: 302, headers: { location: '/index.xml' } }),
    '/index.xml': index('https://a.example/1.xml.gz', 'https://a.example/gone.xml', 'https://b.example/2.xml'),
    '/1.xml.gz': gzipSync(
      set('https://a.example/x', 'https://www.a.example/y', 'https://b.example/z', 'https://a.example/x'),
    ),
  }
  const { found, asked } = await read(files)
  expect(found).toEqual({ urls: ['https://a.example/x', 'https://www.a.example/y'], skipped: 1, isWhole: false })
  expect(asked).toEqual(['s.xml', 'index.xml', '1.xml.gz', 'gone.xml'].map((name) => `https://a.example/${name}`))
  const some = { '/s.xml': set(...Array.from({ length: 12 }, (_, n) => `https://a.example/${n}`)) }
  expect((await read(some, 10)).found).toMatchObject({ urls: { length: 10 }, isWhole: false })
  expect((await read(some)).found).toMatchObject({ urls: { length: 12 }, isWhole: true, skipped: 0 })
})

test('a hostile, foreign, too large or empty sitemap is rejected with the reason', async () => {
  const of = async (file: string | Buffer | Response) => (await read({ '/s.xml': file })).found
  const to = (location: string) => new Response(null, { status: 301, headers: { location } })
  expect(await of(gzipSync(Buffer.alloc(sitemapBytesMax + 1, ' ')))).toBe('sitemapTooLarge')
  expect(await of(gzipSync(gzipSync(set('https://a.example/'))))).toBe('noSitemap')
  expect(await of(Buffer.from([0x1f, 0x8b, 0]))).toBe('noSitemap')
  expect(await of(Buffer.from([0x3c, 0xff]))).toBe('noSitemap')
  expect(await of(to('http://169.254.169.254/latest/'))).toBe('notADomainOfThisSite')
  expect(await of(to('https://a.example:8443/s.xml'))).toBe('notADomainOfThisSite')
  expect(await of(to('/s.xml'))).toBe('sitemapNotFetched')
  expect(await of(set('https://b.example/'))).toBe('emptySitemap')
  expect(await of(index('https://a.example/s.xml'))).toBe('noSitemap')
  expect((await read({})).found).toBe('sitemapNotFetched')
  expect((await read({}, 10, 'http://b.example/s.xml')).asked).toEqual([])
})
