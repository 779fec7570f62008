/** Reads and compiles a site from disk. What several sites share is read and compiled only for the first of them. */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import type { Hash } from '@breakwater/contract/hash.ts'
import { type BandwidthLimit, compileBandwidth } from '../delivery/bandwidth.ts'
import { compileErrorPages, type ErrorPages } from '../delivery/error-pages.ts'
import { compileResponses, type Responses } from '../firewall/waf/responses.ts'
import { compileGuards, composeSteps, type Steps } from '../guards/guards.ts'
import { type RangeSet, rangeSet } from '../lib/address.ts'
import { type AuthRules, compileAuthRules } from '../modules/authentication.ts'
import { type Cors, compileCors } from '../modules/cors.ts'
import { compileRedirects, type Redirects } from '../modules/redirects.ts'
import { compileRewrites, type Rewrites } from '../modules/rewrites.ts'
import { compileTokenAuths, type TokenAuths } from '../modules/token-auth.ts'
import { sharing } from '../nginx/sharing.ts'
import {
  type CompiledCache,
  type CompiledSettings,
  type CompiledSite,
  compileCache,
  compileHeaders,
  compileSettings,
  compileSite,
  type HeaderChanges,
} from './compile.ts'
import { compileTools, objects } from './objects.ts'
import { readArtefact, readPart } from './source.ts'

const sharedSettings = sharing<CompiledSettings>()
const sharedSteps = sharing<Steps>()
const sharedDomainSteps = sharing<Steps>()
const sharedCache = sharing<CompiledCache>()
const sharedHeaders = sharing<HeaderChanges>()
const sharedRedirects = sharing<Redirects>()
const sharedRewrites = sharing<Rewrites>()
const sharedBandwidth = sharing<{ limits: BandwidthLimit[] | undefined }>()
const sharedErrorPages = sharing<ErrorPages>()
const sharedTokens = sharing<TokenAuths>()
const sharedAuth = sharing<AuthRules>()
const sharedResponses = sharing<{ asked: Responses | undefined }>()
const sharedCors = sharing<Cors>()
const sharedRanges = sharing<RangeSet>()

/** Throws with the reason if any part of it is missing, damaged or does not compile. */
export function readSite(hash: string): CompiledSite {
  const read = readArtefact(hash, objects)
  const { artefact } = read
  let { bytes } = read
  const part = <K extends Part['kind']>(kind: K, of: string): Extract<Part, { kind: K }> => {
    const found = readPart(kind, of, objects)
    bytes += found.bytes
    return found.part
  }
  const headersOf = ({ customHeaders }: ArtefactDomain): HeaderChanges =>
    sharedHeaders(customHeaders.join(' '), () =>
      compileHeaders(customHeaders.map((module) => part('customHeaders', module))),
    )
  const redirectsOf = ({ urlRedirects }: ArtefactDomain): Redirects | undefined =>
    urlRedirects === undefined || urlRedirects.length === 0
      ? undefined
      : sharedRedirects(urlRedirects.join(' '), () =>
          compileRedirects(
            urlRedirects.flatMap((module) => part('urlRedirects', module).rules),
            compileTools,
          ),
        )
  const { settings, firewall, cache, bandwidth, apiShield } = artefact.parts
  const pages = artefact.errorPages ?? []
  /** The guards of a site or domain, from the parts that it has; kinds without a part are skipped. */
  const guardsOf = (owner: 'site' | 'domain', hashes: Partial<Record<Part['kind'], Hash | undefined>>): Steps =>
    compileGuards(
      owner,
      (kind) => {
        const of = hashes[kind]
        return of === undefined ? undefined : part(kind, of)
      },
      compileTools,
    )
  const compiled = sharedSettings(settings, () => compileSettings(part('settings', settings)))
  // Few sites are closed; all others share their guards regardless of their settings.
  const ofSite = { firewall, apiShield, settings: compiled.isClosing ? settings : undefined }
  const guardsKey = `${firewall} ${apiShield ?? ''} ${compiled.isClosing ? settings : ''}`
  const steps = sharedSteps(guardsKey, () => guardsOf('site', ofSite))
  const parts = {
    settings: compiled,
    steps,
    stepsOf: ({ firewall: own, waf, luaAcls }: ArtefactDomain) =>
      own === undefined && waf === undefined && luaAcls === undefined
        ? undefined
        : sharedDomainSteps(`${guardsKey} ${own ?? ''} ${waf ?? ''} ${luaAcls ?? ''}`, () =>
            composeSteps(steps, guardsOf('domain', { firewall: own, waf, luaAcls })),
          ),
    cache: sharedCache(cache, () => compileCache(part('cache', cache), compileTools)),
    errorPages:
      pages.length === 0
        ? undefined
        : sharedErrorPages(pages.join(' '), () => compileErrorPages(pages.map((of) => part('errorPages', of)))),
    bandwidth:
      bandwidth === undefined
        ? undefined
        : sharedBandwidth(bandwidth, () => ({ limits: compileBandwidth(part('bandwidth', bandwidth), compileTools) }))
            .limits,
    allowed: sharedRanges(artefact.allowOrigins.join(' '), () => rangeSet(artefact.allowOrigins)),
    headersOf,
    redirectsOf,
    tokensOf: ({ tokenAuths: of }: ArtefactDomain) =>
      of === undefined ? undefined : sharedTokens(of, () => compileTokenAuths(part('tokenAuths', of), compileTools)),
    authOf: ({ authRules: of }: ArtefactDomain) =>
      of === undefined ? undefined : sharedAuth(of, () => compileAuthRules(part('authRules', of), compileTools)),
    rewritesOf: ({ proxyRewrites: of }: ArtefactDomain) =>
      of === undefined
        ? undefined
        : sharedRewrites(of, () => compileRewrites(part('proxyRewrites', of).rules, compileTools)),
    responsesOf: ({ waf }: ArtefactDomain) =>
      waf === undefined
        ? undefined
        : sharedResponses(waf, () => ({ asked: compileResponses(part('waf', waf), compileTools) })).asked,
    corsOf: ({ cors }: ArtefactDomain) =>
      cors === undefined ? undefined : sharedCors(cors, () => compileCors(part('cors', cors))),
  }
  const site = compileSite(artefact, parts)
  site.bytes = bytes
  return site
}
