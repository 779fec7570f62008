/** The texts of the report's PDF, the same as on its page in the console. */
import { credit as creditEn } from '@breakwater/contract/credit-words/en_US.ts'
import { credit as creditCn } from '@breakwater/contract/credit-words/zh_CN.ts'
import { credit as creditTw } from '@breakwater/contract/credit-words/zh_TW.ts'
import type { AttackReport } from '@breakwater/contract/firewall/attacks.ts'
import { guardName } from '@breakwater/contract/firewall/guard-name.ts'
import { type Format, makeFormat } from '@breakwater/contract/format.ts'
import { countryNames, fill, type Locale } from '@breakwater/contract/phrases.ts'
import { words as en_US } from '@breakwater/contract/report-words/en_US.ts'
import { words as zh_CN } from '@breakwater/contract/report-words/zh_CN.ts'
import { words as zh_TW } from '@breakwater/contract/report-words/zh_TW.ts'
import { type Scale, scaleOf } from './course.ts'

const words = { en_US, zh_CN, zh_TW }
const credits = { en_US: creditEn, zh_CN: creditCn, zh_TW: creditTw }
const none = '–'
/**
 * The limit for a name in a list: more than its lines have room for, so that text that is not visible needs no fonts.
 */
const nameCharsMax = 400
type Say = (key: keyof typeof zh_TW, values?: Record<string, string | number>) => string

/** What the PDF is made from. */
export type Paper = {
  report: AttackReport
  locale: Locale
  /** IANA name of the time zone. */
  timeZone: string
  brand: string
  /** The operator's colour as `#rrggbb`; undefined for the product's own. */
  accent: string | undefined
  /** The credit of the data by which addresses are assigned to countries. */
  credit: string
}

export type Figure = { label: string; value: string; hint: string }
export type Top = { title: string; unit: string; rows: { name: string; value: string; share: number }[]; note: string }

export type Content = {
  locale: Locale
  accent: string | undefined
  brand: string
  kind: string
  title: string
  about: string
  /** Empty if there is nothing to warn of. */
  warning: string
  figures: Figure[]
  course: Scale & { title: string; passed: string; stopped: string }
  done: { title: string; lines: string[] }
  tops: Top[]
  foot: string
}

export function contentOf({ report, locale, timeZone, brand, accent, credit }: Paper): Content {
  const say: Say = (key, values) => fill(words[locale][key], locale, values)
  const format = makeFormat(locale, timeZone)
  const { siteName, beganAt, until, isWhole } = report
  return {
    ...{ locale, accent, brand, kind: say('report.title') },
    title: say('report.of', { site: siteName, when: format.moment(beganAt) }),
    about: aboutOf(report, say, format),
    warning: isWhole ? '' : say('report.notWhole'),
    figures: figuresOf(report, say, format),
    course: {
      ...{ title: say('report.course'), passed: say('report.passed'), stopped: say('report.stopped') },
      ...scaleOf(report, format),
    },
    done: { title: say('report.done'), lines: doneOf(report, say, locale) },
    tops: topsOf(report, say, format, locale),
    foot: [
      say('report.foot', { brand, until: format.moment(until) }),
      fill(credits[locale], locale, { credit }),
      timeZone,
    ].join('  ·  '),
  }
}

function aboutOf(report: AttackReport, say: Say, format: Format): string {
  const { beganAt, endedAt, until, reason, rate, limit, nodes } = report
  const duration = format.duration((Date.parse(endedAt ?? until) - Date.parse(beganAt)) / 1000)
  const lasted =
    endedAt === null
      ? say('report.lasts', { duration })
      : say('report.lasted', { end: format.moment(endedAt), duration })
  const why = { rate: format.number(rate), limit: format.number(limit), nodes: nodes.join(', ') }
  return `${lasted} ${say(`report.because.${reason}`, why)}`
}

function figuresOf(report: AttackReport, say: Say, format: Format): Figure[] {
  const { requests, refused, challenged, toOrigin, failures, peak, banned, addresses } = report
  const stopped = refused + challenged
  const figure = (label: keyof typeof zh_TW, value: number, hint = '') => ({
    ...{ label: say(label), value: format.compact(value), hint },
  })
  return [
    figure('report.requests', requests),
    figure('report.peak', peak),
    figure('report.stopped', stopped, format.percent(requests === 0 ? 0 : stopped / requests)),
    figure('report.toOrigin', toOrigin, say('report.failures', { n: failures })),
    figure('report.addresses', addresses.distinct),
    figure('report.banned', banned),
  ]
}

function doneOf({ guards, banned }: AttackReport, say: Say, locale: Locale): string[] {
  if (guards.length === 0 && banned === 0) return [say('report.nothingDone')]
  return [
    ...guards.map(({ guard, action, requests }) =>
      say(`report.did.${action}`, { guard: guardName(guard, locale), n: requests }),
    ),
    ...(banned > 0 ? [say('report.didBan', { n: banned })] : []),
  ]
}

function topsOf(report: AttackReport, say: Say, format: Format, locale: Locale): Top[] {
  const { countries, addresses, paths, userAgents } = report
  const top = (title: string, { rows, distinct }: AttackReport['countries'], nameOf = (name: string) => name): Top => {
    const most = Math.max(1, ...rows.map(({ requests }) => requests))
    return {
      ...{ title, unit: say('report.unit') },
      rows: rows.map(({ name, requests }) => ({
        ...{
          name: nameOf(name.slice(0, nameCharsMax).toWellFormed()) || none,
          value: format.compact(requests),
          share: requests / most,
        },
      })),
      note: rows.length === 0 ? none : distinct > rows.length ? say('report.more', { n: distinct - rows.length }) : '',
    }
  }
  return [
    top(say('report.countries'), countries, countryNames(locale)),
    top(say('report.addresses'), addresses),
    top(say('report.paths'), paths),
    top(say('report.userAgents'), userAgents),
  ]
}
