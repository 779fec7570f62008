/** Finds redirect loops: a browser would give up, and the site would be unreachable. */
import { redirectMatch } from '@breakwater/contract/modules/redirect-match.ts'
import type { UrlRedirect } from '@breakwater/contract/modules/url-redirects.ts'

export type Redirect = Pick<UrlRedirect, 'urlRegex' | 'target' | 'enabled'> & { id: number }

const hopsMax = 10

type Compiled = Redirect & { test: (path: string) => RegExpExecArray | undefined; sample: string | undefined }

function compile(rule: Redirect): Compiled {
  const { match, value } = redirectMatch(rule.urlRegex)
  const expression = new RegExp(rule.urlRegex)
  const isStatic = !/\$([1-9]|path\b)/.test(rule.target)
  return {
    ...rule,
    test: (path) => expression.exec(path) ?? undefined,
    // The path that an expression matches is unknown, unless its target is the same for every path.
    sample: match === 'regex' ? (isStatic ? undefined : '') : value,
  }
}

/** The path that a target leads to on these hosts, or undefined if it leads elsewhere. */
function pathOf(target: string, found: RegExpExecArray, path: string, hosts: ReadonlySet<string>): string | undefined {
  const filled = target.replaceAll(/\$([1-9]|host\b|path\b|query\b)/g, (_, name: string) => {
    if (name === 'path') return path
    if (name === 'query') return ''
    if (name === 'host') return [...hosts][0] ?? 'host.invalid'
    return found[Number(name)] ?? ''
  })
  if (filled.startsWith('/')) return filled.replace(/^\/+/, '/').replace(/[?#].*$/, '')
  const parts = /^https?:\/\/([^/?#:]+)(?::\d+)?([^?#]*)/.exec(filled)
  const host = parts?.[1]?.toLowerCase()
  if (host === undefined || !hosts.has(host))
    return target.includes('://$host') ? (parts?.[2] ?? '/') || '/' : undefined
  return parts?.[2] || '/'
}

/**
 * The first of the changed redirects that sends a visitor on for more than ten hops, or undefined. `rules` are in
 * evaluation order; `names` are the bound domains, which a target may lead back to.
 */
export function findLoop(
  rules: readonly Redirect[],
  names: readonly string[],
  changed: ReadonlySet<number>,
): Redirect | undefined {
  const enabled = rules.filter((rule) => rule.enabled).map(compile)
  const hosts = new Set(names.map((name) => name.toLowerCase()))
  const follow = (path: string): string | undefined => {
    for (const rule of enabled) {
      const found = rule.test(path)
      if (found) return pathOf(rule.target, found, path, hosts)
    }
    return undefined
  }
  const loops = (start: string | undefined): boolean => {
    let path = start
    for (let hop = 0; hop < hopsMax && path !== undefined; hop++) path = follow(path)
    return path !== undefined
  }
  return enabled.find((rule) => {
    if (!changed.has(rule.id)) return false
    if (rule.sample !== undefined && rule.sample !== '') return loops(rule.sample)
    // If an expression sends every path to one target, start from that target.
    return rule.sample === undefined && loops(pathOf(rule.target, [''] as unknown as RegExpExecArray, '/', hosts))
  })
}
