/** The time zone that a page shows: the browser's unless its address names another. */
import { createContext, useContext } from 'react'
import { z } from 'zod'

/** Beside the browser's own: the one that machines write, and the one that accounts are kept in (gaps T-1). */
export const offeredZones = ['UTC', 'Asia/Taipei', 'Asia/Shanghai', 'Europe/Berlin', 'America/New_York'] as const

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

function isZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A zone in an address. Nothing stands for the browser's. */
export const ZoneText = z.string().refine(isZone).optional().catch(undefined)

export const TimeZoneContext = createContext<string | undefined>(undefined)
export const useTimeZone = (): string | undefined => useContext(TimeZoneContext)

/** How many seconds a zone is ahead of UTC at a moment (epoch seconds). */
export function zoneOffset(seconds: number, zone: string | undefined): number {
  const fields = new Intl.DateTimeFormat('en', {
    ...(zone ? { timeZone: zone } : {}),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(seconds * 1000))
  const part = (type: string) => Number(fields.find((field) => field.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local / 1000 - Math.floor(seconds)
}

/** `2026-11-21T14:05`, as a date field has it, in a zone. */
export const wallText = (seconds: number, zone: string | undefined): string =>
  new Date((seconds + zoneOffset(seconds, zone)) * 1000).toISOString().slice(0, 16)

/** The moment of a date field's text in a zone; undefined where it is none. */
export function wallMoment(text: string, zone: string | undefined): number | undefined {
  const local = Date.parse(`${text}Z`) / 1000
  if (Number.isNaN(local)) return undefined
  const guess = local - zoneOffset(local, zone)
  // Near a change of summer time the first guess may have been of the other side.
  return local - zoneOffset(guess, zone)
}
