/** An nginx `server` with its inherited settings. */
import type { DraftBuilder, Note } from '../draft.ts'
import { addRedirect, addRewrite, newVhost, type Vhost } from '../vhost.ts'
import { addPathRules, isByPath } from './by-path.ts'
import { reasonOf } from './left-behind.ts'
import { addLocation } from './locations.ts'
import { type Around, passedTo } from './origins.ts'
import { forgetInherited, type Settings, siteWide } from './settings.ts'
import { hostOf, isRedirect, returned, targetOf } from './targets.ts'
import type { Directive } from './tree.ts'
import { type Match, matchOf } from './values.ts'

const silent: Note = () => {}
const wholeSite: Match = { kind: 'prefix', path: '/', urlRegex: '^/' }

export function readVhost(server: Directive, around: Around, draft: DraftBuilder): Vhost {
  const notes: Vhost['notes'] = []
  const level = server.block ?? []
  const named = level.find(({ name }) => name === 'server_name')
  const vhost = newVhost(named ?? server, notes, draft.noting(notes))
  readNames(vhost, level)
  readListens(vhost, level)
  readLevel(vhost.settings, around.level, silent)
  addDirectives(vhost, level, around)
  return vhost
}

/** Reads the directives of a server, or custom directives for one, into a vhost whose names are known. */
export function addDirectives(vhost: Vhost, level: readonly Directive[], around: Around) {
  readLevel(vhost.settings, level, vhost.note)
  addPathRules(vhost.rules, level, wholeSite, vhost.note)
  const locations = level.filter(({ name }) => name === 'location')
  const main = mainLocation(locations)
  if (main) {
    const block = main.block ?? []
    readLevel(vhost.settings, block, vhost.note)
    addPathRules(vhost.rules, block, wholeSite, vhost.note)
    for (const directive of block) addAction(vhost, directive)
  }
  // Directives of the server itself run before its locations.
  for (const directive of level) if (directive.name !== 'location') addAction(vhost, directive)
  const passed = originOfMain(vhost, main, locations, around)
  const levels = [around.level, level, main?.block ?? []].flat()
  const setsHost = levels.some(({ name, args }) => name === 'proxy_set_header' && args[0]?.toLowerCase() === 'host')
  // By default nginx sends the origin's own name as Host; the edge sends the visitor's.
  if (passed?.isNamed && !setsHost) vhost.note('hostHeader', passed.place)
  for (const location of locations) if (location !== main) addLocation(vhost, location, { passed, around })
}

const isMain = ({ args }: Directive): boolean => {
  const match = matchOf(args)
  return match.kind === 'prefix' && match.path === '/'
}
const mainLocation = (locations: readonly Directive[]) => locations.find(isMain)

/** Applies the settings of a level over those of the enclosing levels. */
export function readLevel(settings: Settings, level: readonly Directive[], note: Note) {
  forgetInherited(settings, level)
  for (const directive of level) {
    const handler = Object.hasOwn(siteWide, directive.name) ? siteWide[directive.name] : undefined
    handler?.(settings, directive, note)
  }
}

function readNames(vhost: Vhost, level: readonly Directive[]) {
  for (const directive of level) {
    if (directive.name !== 'server_name') continue
    for (const written of directive.args) {
      const name = written.toLowerCase()
      // `.example.com` means the name and all names below it.
      if (/^\.[^.]/.test(name)) vhost.names.push(name.slice(1), `*${name}`)
      else if (name !== '' && name !== '_') vhost.names.push(name)
    }
  }
}

function readListens(vhost: Vhost, level: readonly Directive[]) {
  const listens = level.filter(({ name }) => name === 'listen')
  vhost.tls = listens.some(
    ({ args }) => args.includes('ssl') || args.includes('quic') || /(^|:)443$/.test(args[0] ?? ''),
  )
  for (const directive of listens) {
    const address = directive.args[0] ?? ''
    const port = /(?:^|:)(\d{1,5})$/.exec(address.replace(/\[[^\]]*\]/, ''))?.[1]
    if (address.startsWith('unix:') || (port !== undefined && port !== '80' && port !== '443'))
      vhost.note('port', directive)
    else if (directive.args.includes('proxy_protocol')) vhost.note('port', directive)
  }
}

const read = new Set(['server_name', 'listen', 'location', 'proxy_pass', 'upstream', 'server', 'http'])

/** The responses of a server or its main location, and directives that cannot be imported. */
function addAction(vhost: Vhost, directive: Directive) {
  const { name, args } = directive
  if (name === 'return') addReturn(vhost, directive)
  else if (name === 'rewrite') takeRewrite(vhost, directive)
  else if (name === 'if') addCondition(vhost, directive)
  else if (read.has(name) || Object.hasOwn(siteWide, name) || isByPath(directive)) return
  else if (/^(auth_basic|proxy_cache|modsecurity)$/.test(name) && args[0] === 'off') return
  else if (name === 'include' && /(proxy_params|mime\.types|modules-enabled\/|options-ssl-nginx)/.test(args[0] ?? ''))
    vhost.note('byEdge', directive)
  else vhost.note(name === 'include' ? 'include' : reasonOf(name), directive)
}

/** `return` for a whole server, or for one of its names. */
function addReturn(vhost: Vhost, directive: Directive, only?: string) {
  const { status, text } = returned(directive.args)
  const names = only === undefined ? vhost.names : [only]
  if (!isRedirect(status)) {
    // What remains of plain HTTP once every name is redirected to HTTPS.
    const isRest = status === 404 && names.every((name) => vhost.forced.has(name) || vhost.redirects.has(name))
    if (!isRest || names.length === 0) vhost.note('answer', directive)
    return
  }
  const found = targetOf(text, vhost.names[0] ?? '')
  if (!found) return vhost.note('variable', directive)
  const host = hostOf(found.target)
  const isSamePath = found.target.endsWith('$path') && /^https:\/\/[^/]+\$path$/i.test(found.target)
  for (const name of names) {
    const isSelf = host === '$host' || host === name
    if (isSamePath && isSelf) vhost.forced.add(name)
    else if (!isSelf || !/^https?:/i.test(found.target) || !found.target.endsWith('$path'))
      addRedirect(vhost, { urlRegex: '^/', statusCode: status, ...found }, directive, name)
  }
}

/** `rewrite`, which redirects or changes the path sent to the origin. */
function takeRewrite(vhost: Vhost, directive: Directive) {
  const [pattern = '', replacement = '', flag = ''] = directive.args
  // nginx matches the path with its leading slash, as the edge does.
  const found = targetOf(replacement, vhost.names[0] ?? '', true)
  if (!found) return vhost.note('variable', directive)
  const isAway = /^https?:\/\//i.test(found.target)
  if (flag === 'permanent' || flag === 'redirect' || isAway)
    addRedirect(vhost, { urlRegex: pattern, statusCode: flag === 'permanent' ? 301 : 302, ...found }, directive)
  else addRewrite(vhost, { urlRegex: pattern, target: found.target }, directive)
}

/** What tools write for every site: a redirect for one name or for plain HTTP. */
function addCondition(vhost: Vhost, directive: Directive) {
  const condition = directive.args.join(' ').replace(/^\(\s*|\s*\)$/g, '')
  const [, host] = /^\$(?:http_)?host = ["']?([^\s"']+)["']?$/.exec(condition) ?? []
  const isPlainHttp =
    /^\$scheme (?:= ["']?http["']?|!= ["']?https["']?)$|^\$https (?:= ["']{2}|!= ["']?on["']?|= ["']?off["']?)$/.test(
      condition,
    )
  const block = directive.block ?? []
  const [only] = block
  if (block.length !== 1 || only?.name !== 'return' || (host === undefined && !isPlainHttp))
    return vhost.note('condition', directive)
  if (host !== undefined) return addReturn(vhost, only, host.toLowerCase())
  const target = targetOf(returned(only.args).text, vhost.names[0] ?? '')
  if (!target || !/^https:\/\/[^/]+\$path$/i.test(target.target)) return vhost.note('condition', directive)
  for (const name of vhost.names) vhost.forced.add(name)
}

/** The origin of the main location, or of the named location it falls back to. */
function originOfMain(vhost: Vhost, main: Directive | undefined, locations: readonly Directive[], around: Around) {
  const passes = (location: Directive | undefined) => location?.block?.find(({ name }) => name === 'proxy_pass')
  const tried = main?.block?.find(({ name }) => name === 'try_files')?.args.at(-1)
  const fallback = tried?.startsWith('@') ? locations.find(({ args }) => args[0] === tried) : undefined
  const directive = passes(main) ?? passes(fallback)
  if (!directive) return undefined
  const passed = passedTo(directive, around.upstreams, vhost.note)
  if (!passed) return undefined
  vhost.origins = passed.origins
  if (passed.path.length > 1) addRewrite(vhost, { urlRegex: '^/(.*)$', target: `${passed.path}$1` }, directive)
  return passed
}
