/**
 * Parses a sitemap (sitemaps.org), strictly and in one pass: no document type, no entities but XML's own five, nothing
 * expanded, nothing fetched. Anything else is rejected as a whole.
 */

export type Sitemap = {
  /** Whether it lists other sitemaps instead of pages. */
  isIndex: boolean
  locations: string[]
}

/** Nested elements; a sitemap has three levels, and one more for images and videos. */
const depthMax = 10
/** Tags of one file: twenty for each of the 50,000 URLs that it may have (sitemaps.org). */
const tagsMax = 1_000_000
const roots: Record<string, { isIndex: boolean; entry: string }> = {
  urlset: { isIndex: false, entry: 'url' },
  sitemapindex: { isIndex: true, entry: 'sitemap' },
}
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Undefined if the text is not a sitemap, or is more than one. */
export function parseSitemap(text: string): Sitemap | undefined {
  const open: string[] = []
  let sitemap: Sitemap | undefined
  let wanted = ''
  let location = ''
  let tags = 0
  const isInLocation = () => open.join(' ') === wanted
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    const piece = text.slice(at, tag < 0 ? text.length : tag)
    if (open.length === 0 && piece.trim() !== '') return undefined
    if (sitemap && isInLocation()) {
      const decoded = withoutEntities(piece)
      if (decoded === undefined) return undefined
      location += decoded
    }
    if (tag < 0) break
    const passed = passedOver.find(({ begin }) => text.startsWith(begin, tag))
    const end = text.indexOf(passed?.end ?? '>', tag + (passed?.begin.length ?? 1))
    // Any other `<!` declares a document type or entities.
    if (end < 0 || (!passed && text[tag + 1] === '!')) return undefined
    tags += 1
    if (tags > tagsMax) return undefined
    at = end + (passed?.end.length ?? 1)
    if (passed) {
      if (passed.isText && sitemap && isInLocation()) location += text.slice(tag + passed.begin.length, end)
      continue
    }
    const [name = ''] = /^[^\s/]*/.exec(text.slice(tag + 1, Math.min(end, tag + 100)))!
    if (text[tag + 1] === '/') {
      if (text.slice(tag + 2, end).trim() !== open.at(-1)) return undefined
      if (sitemap && isInLocation()) {
        sitemap.locations.push(location.trim())
        location = ''
      }
      open.pop()
      continue
    }
    if (name === '' || open.length === depthMax) return undefined
    if (open.length === 0) {
      const prefix = name.slice(0, name.indexOf(':') + 1)
      const root = roots[name.slice(prefix.length)]
      if (sitemap || !root) return undefined
      sitemap = { isIndex: root.isIndex, locations: [] }
      wanted = [name, prefix + root.entry, `${prefix}loc`].join(' ')
    }
    if (text[end - 1] !== '/') open.push(name)
  }
  return open.length === 0 ? sitemap : undefined
}

const passedOver = [
  { begin: '<!--', end: '-->', isText: false },
  { begin: '<![CDATA[', end: ']]>', isText: true },
  { begin: '<?', end: '?>', isText: false },
]

/** Undefined if an entity is not one of XML's own. A lone `&`, which many sitemaps have, is kept as it is. */
function withoutEntities(text: string): string | undefined {
  if (!text.includes('&')) return text
  let isKnown = true
  const decoded = text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{0,30});/gi, (_whole, name: string) => {
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    const char = name.startsWith('#') ? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined) : entities[name]
    if (char === undefined) isKnown = false
    return char ?? ''
  })
  return isKnown ? decoded : undefined
}
