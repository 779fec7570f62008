/** Directives of a level that apply to the whole site. */
import { bodySizeMax } from '@breakwater/contract/delivery/basic-settings.ts'
import { compressedTypes } from '@breakwater/contract/delivery/compression.ts'
import { isReservedHeader } from '@breakwater/contract/edge/header-names.ts'
import type { ImportedSite } from '@breakwater/contract/import/site-import.ts'
import { CustomHeader } from '@breakwater/contract/modules/custom-headers.ts'
import type { z } from 'zod'
import type { Note } from '../draft.ts'
import type { Directive } from './tree.ts'
import { bytesOf, secondsOf, within } from './values.ts'

export type Header = z.input<typeof CustomHeader>

/** The settings of a server, including inherited ones. */
export type Settings = {
  bodyBytes?: number
  connect?: number
  read?: number
  gzip?: boolean
  gzipTypes?: string[]
  gzipMin?: number
  gzipLevel?: number
  tlsProfile?: 'modern' | 'default'
  hsts?: { hstsSeconds: number; hstsSubdomains: boolean; hstsPreload: boolean }
  headers: Header[]
}

type Handler = (settings: Settings, directive: Directive, note: Note) => void

const secondsMax = 3600
const connectMax = 60

/** Clamps a number to the range accepted here, and notes if it had to be changed. */
function bounded(value: number | undefined, min: number, max: number, directive: Directive, note: Note) {
  if (value === undefined) {
    note('value', directive)
    return undefined
  }
  const fitting = within(value, min, max)
  if (fitting !== value) note('changed', directive)
  return fitting
}

export const siteWide: Readonly<Record<string, Handler>> = {
  client_max_body_size(settings, directive, note) {
    const bytes = bounded(bytesOf(directive.args[0]), 0, bodySizeMax, directive, note)
    if (bytes !== undefined) settings.bodyBytes = bytes
  },
  proxy_connect_timeout(settings, directive, note) {
    const seconds = bounded(secondsOf(directive.args.join(' ')), 1, connectMax, directive, note)
    if (seconds !== undefined) settings.connect = seconds
  },
  proxy_read_timeout(settings, directive, note) {
    const seconds = bounded(secondsOf(directive.args.join(' ')), 1, secondsMax, directive, note)
    if (seconds !== undefined) settings.read = seconds
  },
  gzip: (settings, { args }) => {
    settings.gzip = args[0] === 'on'
  },
  gzip_types: (settings, { args }) => {
    settings.gzipTypes = args
  },
  gzip_min_length(settings, directive, note) {
    const bytes = bounded(bytesOf(directive.args[0]), 0, 1_000_000, directive, note)
    if (bytes !== undefined) settings.gzipMin = bytes
  },
  gzip_comp_level(settings, directive, note) {
    const level = bounded(bytesOf(directive.args[0]), 1, 9, directive, note)
    if (level !== undefined) settings.gzipLevel = level
  },
  ssl_protocols(settings, directive, note) {
    const versions = directive.args
    settings.tlsProfile = versions.every((version) => version === 'TLSv1.3') ? 'modern' : 'default'
    if (versions.some((version) => !['TLSv1.2', 'TLSv1.3'].includes(version))) note('changed', directive)
  },
  add_header(settings, directive, note) {
    const [key = '', value = ''] = directive.args
    const name = key.toLowerCase()
    if (name === 'strict-transport-security') takeHsts(settings, value)
    else if (name === 'alt-svc') note('byEdge', directive)
    else takeHeader(settings, { type: 'response', key, value }, directive, note)
  },
  proxy_hide_header: (settings, directive, note) =>
    takeHeader(settings, { type: 'response', key: directive.args[0] ?? '', value: '' }, directive, note),
  proxy_set_header(settings, directive, note) {
    const [key = '', value = ''] = directive.args
    const name = key.toLowerCase()
    if (name === 'host') note(/^\$(http_)?host(:\$server_port)?$/.test(value) ? 'byEdge' : 'hostHeader', directive)
    // The edge sets these itself, and proxies WebSockets.
    else if (
      /^(x-forwarded-.*|x-real-ip|upgrade|connection|accept-encoding|early-data|forwarded|x-request-id)$/.test(name)
    )
      note('byEdge', directive)
    else takeHeader(settings, { type: 'request', key, value }, directive, note)
  },
}

function takeHsts(settings: Settings, value: string): void {
  const seconds = Number(/max-age=["']?(\d{1,12})/i.exec(value)?.[1] ?? 0)
  const hstsSubdomains = /includesubdomains/i.test(value)
  const hstsSeconds = within(seconds, 0, 63_072_000)
  const hstsPreload = /preload/i.test(value) && hstsSubdomains && hstsSeconds >= 31_536_000
  settings.hsts = { hstsSeconds, hstsSubdomains, hstsPreload }
}

function takeHeader(settings: Settings, header: Header, directive: Directive, note: Note): void {
  if (header.value?.includes('$')) note('variable', directive)
  else if (isReservedHeader(header.key) || !CustomHeader.safeParse(header).success) note('header', directive)
  else {
    const same = ({ type, key }: Header) => type === header.type && key.toLowerCase() === header.key.toLowerCase()
    settings.headers = [...settings.headers.filter((one) => !same(one)), header]
  }
}

/** nginx inherits headers only if a level has none of its own. */
export function forgetInherited(settings: Settings, level: readonly Directive[]): void {
  const has = (name: string) => level.some((directive) => directive.name === name)
  if (has('add_header')) {
    settings.headers = settings.headers.filter(({ type, value }) => type !== 'response' || value === '')
    delete settings.hsts
  }
  if (has('proxy_set_header')) settings.headers = settings.headers.filter(({ type }) => type !== 'request')
}

type Groups = Pick<ImportedSite, 'basic' | 'originTimeouts' | 'compression' | 'tls'>

/** Converts the settings into a site's groups; anything not set keeps the default. */
export function groupsOf(settings: Settings): Partial<Groups> {
  const { bodyBytes, connect, read, gzip, tlsProfile, hsts } = settings
  const timeouts = {
    connect: connect ?? 5,
    firstByte: read ?? 60,
    idle: read ?? 60,
    websocketIdle: Math.max(read ?? 60, 600),
  }
  return {
    ...((connect !== undefined || read !== undefined) && { originTimeouts: timeouts }),
    ...(bodyBytes !== undefined && {
      basic: { websocket: true, timeout: timeouts.firstByte, maxBodySize: bodyBytes },
    }),
    ...(gzip !== undefined && { compression: compressionOf(settings) }),
    ...((tlsProfile !== undefined || hsts !== undefined) && {
      tls: {
        profile: tlsProfile ?? 'default',
        ...(hsts ?? { hstsSeconds: 0, hstsSubdomains: false, hstsPreload: false }),
      },
    }),
  }
}

function compressionOf({ gzip = false, gzipTypes, gzipMin = 1024, gzipLevel = 5 }: Settings) {
  const isAll = gzipTypes === undefined || gzipTypes.includes('*')
  const named = (gzipTypes ?? [])
    .map((type) => type.toLowerCase())
    .filter((type) => /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type))
  // nginx always compresses text/html.
  const types = isAll ? compressedTypes : [...new Set(['text/html', ...named])].slice(0, 50)
  return { enable: gzip, types, minLength: gzipMin, level: gzipLevel }
}
