/** Summarizes a part of a draft in one line. */
import type { ImportedSite } from '@breakwater/contract/import/site-import.ts'
import type { Say } from '../../platform/phrases.ts'
import type { CarriedPart } from './draft-state.ts'

const shown = 4

export function carriedText(site: ImportedSite, part: CarriedPart, t: Say<'import'>): string {
  const lines = linesOf(site, part, t)
  const rest = lines.length - shown
  return [...lines.slice(0, shown), ...(rest > 0 ? [t('carried.more', { n: rest })] : [])].join(' · ')
}

const mebibyte = 1_048_576

function linesOf(site: ImportedSite, part: CarriedPart, t: Say<'import'>): string[] {
  const { basic, originTimeouts: limits, compression, tls } = site
  switch (part) {
    case 'basic':
      return [
        basic!.maxBodySize === 0 ? t('text.anySize') : t('text.size', { n: round(basic!.maxBodySize / mebibyte) }),
      ]
    case 'originTimeouts':
      return [t('text.times', { connect: limits!.connect, first: limits!.firstByte, idle: limits!.idle })]
    case 'compression':
      return [
        compression!.enable
          ? t('text.compression', { level: compression!.level, n: compression!.types.length })
          : t('text.off'),
      ]
    case 'tls':
      return [
        t(tls!.profile === 'modern' ? 'text.tls13' : 'text.tls12'),
        ...(tls!.hstsSeconds > 0 ? [`HSTS ${tls!.hstsSeconds} s`] : []),
      ]
    case 'urlRedirects':
      return site.urlRedirects.flatMap(({ items }) =>
        items.map((item) => `${item.urlRegex} → ${item.target} (${item.statusCode})`),
      )
    case 'proxyRewrites':
      return site.proxyRewrites.flatMap(({ items }) => items.map((item) => `${item.urlRegex} → ${item.target}`))
    case 'customHeaders':
      return (site.customHeaders[0]?.items ?? []).map(({ key, value }) => `${key}: ${value === '' ? '–' : value}`)
    case 'cacheRules':
      return site.cacheRules.map(({ values, ttl }) => `${values.join(' ')} ${ttl} s`)
    case 'bandwidthLimits':
      return site.bandwidthLimits.map(({ urlRegex, rate }) => `${urlRegex} ${rate} B/s`)
    case 'allowRules':
    case 'denyRules':
      return site[part].map(({ urlRegex, ips }) => `${urlRegex || '/'} ${ips.join(' ')}`)
  }
}

const round = (number: number): number => Math.round(number * 10) / 10
