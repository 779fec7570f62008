/** The time zone of a page: the browser's unless the URL names another. */
import { TimeZone } from '@breakwater/contract/fields.ts'
import { kept } from '@breakwater/contract/kept.ts'
import { createContext, useContext } from 'react'

/** Offered besides the browser's own zone: UTC, which machines use, and zones in which accounts are kept. */
export const offeredZones = ['UTC', 'Asia/Taipei', 'Asia/Shanghai', 'Europe/Berlin', 'America/New_York'] as const

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A time zone in the URL. Undefined means the browser's. */
export const ZoneText = TimeZone.optional().catch(undefined)

export const TimeZoneContext = createContext<string | undefined>(undefined)
export const useTimeZone = (): string | undefined => useContext(TimeZoneContext)

const clocks = kept(
  (zone: string | undefined) =>
    new Intl.DateTimeFormat('en', {
      ...(zone ? { timeZone: zone } : {}),
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
)

/** Returns by how many seconds a zone is ahead of UTC at a time (epoch seconds). */
export function zoneOffset(seconds: number, zone: string | undefined): number {
  const fields = clocks(zone).formatToParts(new Date(seconds * 1000))
  const part = (type: string) => Number(fields.find((field) => field.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local / 1000 - Math.floor(seconds)
}

/** Formats wall-clock seconds as `2026-11-21 14:05`. */
export const writeWall = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')

const wall = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/

/** Parses a typed date with or without a time, which defaults to 00:00; undefined if it is not a valid date. */
export function readWall(text: string): number | undefined {
  const found = wall.exec(text.trim())
  if (!found) return undefined
  const [year, month, day, hour, minute] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute))
  // An impossible day or hour would carry over to the next.
  const isSame = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hour && minute < 60
  return isSame ? at.getTime() / 1000 : undefined
}

/** Formats a time in the wall clock of a zone. */
export const wallText = (seconds: number, zone: string | undefined): string =>
  writeWall(seconds + zoneOffset(seconds, zone))

/** Parses a text as a time in a zone; undefined if it is invalid. */
export function wallMoment(text: string, zone: string | undefined): number | undefined {
  const local = readWall(text)
  if (local === undefined) return undefined
  const guess = local - zoneOffset(local, zone)
  // Near a daylight saving change, the first guess may be on the wrong side of it.
  return local - zoneOffset(guess, zone)
}
