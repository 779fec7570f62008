/**
 * Fields with one of several values, named and described in the API description so that generated clients have a type
 * for each.
 */
import { z } from 'zod'

/** One of several numbers. `of` names each of them. `reason` is the validation key for anything else. */
export function numberOf<const T extends Readonly<Record<string, number>>>(
  id: string,
  about: string,
  of: T,
  reason?: string,
) {
  const meanings = Object.entries(of).map(([name, value]) => `${value} ${name}`)
  const values = Object.values(of) as T[keyof T][]
  return z.literal(values, reason).meta({
    id,
    description: `${about}: ${meanings.join(', ')}.`,
    'x-enum-varnames': Object.keys(of),
  })
}

/** One of several words. */
export function wordOf<const T extends readonly string[]>(id: string, about: string, of: T, reason?: string) {
  return z.enum(of, reason).meta({ id, description: about })
}
