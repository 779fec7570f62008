/**
 * Whether an answer is what its URL's extension promises. A rule that stores by extension or path trusts the URL; if an
 * origin answers `/account/x.css` with the account page, that page would otherwise be stored for everybody.
 */

const images = ['image/']
const fonts = ['font/', 'application/font', 'application/x-font', 'application/vnd.ms-fontobject']
const sounds = ['audio/', 'video/', 'application/ogg']
const scripts = ['text/javascript', 'application/javascript', 'application/x-javascript', 'application/ecmascript']
const pages = ['text/html', 'application/xhtml+xml']
const archives = ['application/']

const byExtension: Record<string, readonly string[]> = {
  css: ['text/css'],
  js: scripts,
  mjs: scripts,
  json: ['application/json', 'application/manifest+json', 'text/json'],
  map: ['application/json', 'text/plain', 'application/octet-stream'],
  webmanifest: ['application/manifest+json', 'application/json'],
  xml: ['application/xml', 'text/xml', 'application/rss+xml', 'application/atom+xml'],
  txt: ['text/plain'],
  csv: ['text/csv', 'text/plain'],
  wasm: ['application/wasm'],
  pdf: ['application/pdf'],
  html: pages,
  htm: pages,
  shtml: pages,
  xhtml: pages,
}
for (const name of ['gif', 'png', 'jpg', 'jpeg', 'bmp', 'webp', 'avif', 'svg', 'svgz', 'ico', 'tif', 'tiff', 'heic'])
  byExtension[name] = images
for (const name of ['woff', 'woff2', 'ttf', 'otf', 'eot']) byExtension[name] = fonts
for (const name of [
  'mp3',
  'wma',
  'flv',
  'mp4',
  'm4a',
  'm4v',
  'wmv',
  'ogg',
  'oga',
  'ogv',
  'wav',
  'webm',
  'mov',
  'avi',
  'mkv',
  'aac',
  'flac',
  'ts',
])
  byExtension[name] = sounds
for (const name of [
  'zip',
  'gz',
  'tgz',
  'bz2',
  'xz',
  '7z',
  'rar',
  'tar',
  'ipa',
  'apk',
  'exe',
  'msi',
  'dmg',
  'iso',
  'deb',
  'rpm',
  'jar',
])
  byExtension[name] = archives

/** The content type that an extension promises, if one is known. */
export function usualType(extension: string): string | undefined {
  const known = byExtension[extension]?.[0]
  return known?.endsWith('/') === true ? `${known}${extension}` : known
}

/** Object stores send these if no type was set. */
const anything = ['application/octet-stream', 'binary/octet-stream']

const startsWithAny = (type: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => type.startsWith(beginning))

/** Whether a content type fits an extension (lower case, '' for none). `byPath` is for rules that match a path. */
export function fitsExtension(extension: string, contentType: string | undefined, byPath: boolean): boolean {
  const expected = byExtension[extension]
  if (expected === undefined && byPath) return true
  const type = (contentType ?? '').toLowerCase()
  if (type === '') return false
  if (expected === undefined) return !startsWithAny(type, pages)
  return startsWithAny(type, expected) || (expected !== pages && startsWithAny(type, anything))
}

/**
 * Whether an answer is a file that is the same for every visitor: a style sheet, script, image, font, audio or video
 * that fits its extension.
 */
export function isStaticFile(extension: string, contentType: string | undefined): boolean {
  const expected = byExtension[extension]
  return expected !== undefined && expected !== pages && fitsExtension(extension, contentType, false)
}
