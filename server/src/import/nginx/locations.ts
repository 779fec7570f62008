/** Locations other than the main one: redirects, caching and access of a path are imported, other origins are not. */
import { addRedirect, addRewrite, type Vhost } from '../vhost.ts'
import { addPathRules, isByPath } from './by-path.ts'
import { reasonOf } from './left-behind.ts'
import { type Around, type Passed, passedTo } from './origins.ts'
import { siteWide } from './settings.ts'
import { isRedirect, returned, targetOf } from './targets.ts'
import type { Directive } from './tree.ts'
import { type Match, matchOf } from './values.ts'

type Inside = { passed: Passed | undefined; around: Around }

export function addLocation(vhost: Vhost, location: Directive, inside: Inside) {
  const match = matchOf(location.args)
  const path = location.args.at(-1) ?? ''
  // The edge itself answers the challenges of certificate authorities, before anything else.
  if (path.includes('.well-known/acme-challenge')) return vhost.note('byEdge', location)
  const block = location.block ?? []
  addPathRules(vhost.rules, block, match, vhost.note)
  for (const directive of block) if (!isByPath(directive)) addOf(vhost, directive, match, inside)
}

function addOf(vhost: Vhost, directive: Directive, match: Match, { passed, around }: Inside) {
  const { name, args } = directive
  if (name === 'return') addReturn(vhost, directive, match)
  else if (name === 'rewrite') takeRewrite(vhost, directive, match)
  else if (name === 'proxy_pass') {
    // The named location to which the main one falls back has been read with it.
    const to = passedTo(directive, around.upstreams, () => {})
    if (!passed || !to || to.key !== passed.key) vhost.note(to ? 'otherOrigin' : 'variable', directive)
    else if (match.kind !== 'named' && !isSamePath(to.path, match)) addPathChange(vhost, directive, match, to.path)
  } else if (name === 'location' || name === 'if') vhost.note(name === 'if' ? 'condition' : 'location', directive)
  else if (/^(auth_basic|proxy_cache|access_log|modsecurity)$/.test(name) && args[0] === 'off')
    vhost.note(name === 'access_log' || name === 'proxy_cache' ? 'byEdge' : 'location', directive)
  else if (name === 'proxy_set_header')
    siteWide.proxy_set_header!({ headers: [] }, directive, (reason) => vhost.note(reason, directive))
  else
    vhost.note(Object.hasOwn(siteWide, name) ? 'location' : name === 'include' ? 'include' : reasonOf(name), directive)
}

const isSamePath = (path: string, match: Match): boolean => path === '' || ('path' in match && path === match.path)

/** `location /a/ { proxy_pass http://b/c/; }`: the path sent to the origin is changed. */
function addPathChange(vhost: Vhost, directive: Directive, match: Match, path: string) {
  if (match.kind === 'prefix') addRewrite(vhost, { urlRegex: `${match.urlRegex}(.*)$`, target: `${path}$1` }, directive)
  else if (match.kind === 'exact') addRewrite(vhost, { urlRegex: match.urlRegex, target: path }, directive)
  else vhost.note('location', directive)
}

const regexOf = (match: Match): string | undefined => ('urlRegex' in match ? match.urlRegex : undefined)

function addReturn(vhost: Vhost, directive: Directive, match: Match) {
  const { status, text } = returned(directive.args)
  const urlRegex = regexOf(match)
  if (!isRedirect(status)) return vhost.note('answer', directive)
  if (urlRegex === undefined) return vhost.note('regex', directive)
  const found = targetOf(text, vhost.names[0] ?? '')
  if (found) addRedirect(vhost, { urlRegex, statusCode: status, ...found }, directive)
  else vhost.note('variable', directive)
}

/** The regex applies within the location only: one that begins with the location's path needs no change. */
function takeRewrite(vhost: Vhost, directive: Directive, match: Match) {
  const [pattern = '', replacement = '', flag = ''] = directive.args
  const isInside = match.kind === 'prefix' && pattern.startsWith(`^${match.path}`)
  const found = targetOf(replacement, vhost.names[0] ?? '', true)
  if (!found) return vhost.note('variable', directive)
  if (!isInside) return vhost.note('location', directive)
  if (flag === 'permanent' || flag === 'redirect' || /^https?:\/\//i.test(found.target))
    addRedirect(vhost, { urlRegex: pattern, statusCode: flag === 'permanent' ? 301 : 302, ...found }, directive)
  else addRewrite(vhost, { urlRegex: pattern, target: found.target }, directive)
}
