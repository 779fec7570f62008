/** The time zone that a page shows: the browser's unless its address names another. */
import { TimeZone } from '@breakwater/contract/fields.ts'
import { kept } from '@breakwater/contract/kept.ts'
import { createContext, useContext } from 'react'

/** Beside the browser's own: the one that machines write, and the one that accounts are kept in. */
export const offeredZones = ['UTC', 'Asia/Taipei', 'Asia/Shanghai', 'Europe/Berlin', 'America/New_York'] as const

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A zone in an address. Nothing stands for the browser's. */
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

/** How many seconds a zone is ahead of UTC at a moment (epoch seconds). */
export function zoneOffset(seconds: number, zone: string | undefined): number {
  const fields = clocks(zone).formatToParts(new Date(seconds * 1000))
  const part = (type: string) => Number(fields.find((field) => field.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local / 1000 - Math.floor(seconds)
}

/** `2026-11-21 14:05`, of seconds that are counted as a clock on the wall shows them. */
export const writeWall = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')

const wall = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/

/** What a person wrote, with a time or from the day's beginning; undefined where it is no moment of any calendar. */
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
  // A day or an hour that there is not would be carried over to another.
  const isSame = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hour && minute < 60
  return isSame ? at.getTime() / 1000 : undefined
}

/** A moment as the clocks of a zone show it. */
export const wallText = (seconds: number, zone: string | undefined): string =>
  writeWall(seconds + zoneOffset(seconds, zone))

/** The moment of a text in a zone; undefined where it is none. */
export function wallMoment(text: string, zone: string | undefined): number | undefined {
  const local = readWall(text)
  if (local === undefined) return undefined
  const guess = local - zoneOffset(local, zone)
  // Near a change of summer time the first guess may have been of the other side.
  return local - zoneOffset(guess, zone)
}
