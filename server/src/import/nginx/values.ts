/** Sizes, times and regexes in nginx's notation. */
import { checkUrlRegex } from '@breakwater/contract/url-regex.ts'

/** Parses `10m` into bytes; undefined if it is not a size. */
export function bytesOf(text = ''): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)$/i.exec(text) ?? []
  const times = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[unit.toLowerCase()]
  return digits === undefined ? undefined : Number(digits) * times!
}

const secondsOfUnit: Record<string, number> = {
  ...{ ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, M: 2_592_000, y: 31_536_000 },
}

/** Parses `1h 30m` into whole seconds, rounded up; undefined if it is not a time. */
export function secondsOf(text = ''): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (!/^(\d{1,10}(ms|[smhdwMy])\s*){1,8}$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+)(ms|[smhdwMy])/g)]
  return Math.ceil(parts.reduce((sum, [, n, unit]) => sum + Number(n) * secondsOfUnit[unit!]!, 0))
}

export const escaped = (path: string): string => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** What a location matches. */
export type Match =
  | { kind: 'prefix' | 'exact'; path: string; urlRegex: string }
  | { kind: 'extensions'; values: string[]; urlRegex: string | undefined }
  | { kind: 'regex'; urlRegex: string }
  | { kind: 'named'; name: string }
  | { kind: 'unsupported' }

/** A regex of file extensions only: `\.(css|js)$`. */
const extensions = /^(?:\^?\.[+*])?\\\.\(?(?:\?:)?([A-Za-z0-9|?]+)\)?\$$/

/** Parses the arguments of `location`. */
export function matchOf(args: readonly string[]): Match {
  const [sign, rest] = args.length > 1 ? [args[0]!, args[1]!] : ['', args[0] ?? '']
  const path = rest.slice(0, 2048)
  if (sign === '' && path.startsWith('@')) return { kind: 'named', name: path }
  if (sign === '=') return { kind: 'exact', path, urlRegex: `^${escaped(path)}$` }
  if (sign === '' || sign === '^~') return { kind: 'prefix', path, urlRegex: `^${escaped(path)}` }
  if (sign !== '~' && sign !== '~*') return { kind: 'unsupported' }
  const urlRegex = checkUrlRegex(path) === undefined ? path : undefined
  const list = extensions.exec(path)?.[1]
  // The edge does not support case-insensitive regexes; extensions are case-insensitive anyway.
  const own = sign === '~' ? urlRegex : undefined
  if (list !== undefined) return { kind: 'extensions', values: list.split('|').flatMap(spellings), urlRegex: own }
  return own === undefined ? { kind: 'unsupported' } : { kind: 'regex', urlRegex: own }
}

/** `jpe?g` stands for two extensions. */
function spellings(text: string): string[] {
  const [, head, optional, tail] = /^([A-Za-z0-9]*)([A-Za-z0-9])\?([A-Za-z0-9]*)$/.exec(text) ?? []
  if (head !== undefined) return [head + tail, head + optional! + tail]
  return text === '' || text.includes('?') ? [] : [text]
}

export const within = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)
