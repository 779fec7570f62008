/** Which answers of a site the edge compresses, and in which nginx location: the level is set per location. */

import { levelUsual } from '@breakwater/contract/edge/compression-levels.ts'
import { trimmed } from '../lib/trimmed.ts'

export type Compression = {
  types: Record<string, true>
  /** Bytes. */
  minLength: number
}

export type CompressionRules = { types: readonly string[]; minLength: number; level: number }

/** The named locations of the uncached route and of the inner hop. Absent if the request is in that location anyway. */
export type CompressionPlaces = { uncached: string; limited: string; fetch: string | undefined }

export function compileCompression(rules: CompressionRules | undefined): Compression | undefined {
  if (rules === undefined) return undefined
  const types: Record<string, true> = {}
  for (const name of rules.types) types[name.toLowerCase()] = true
  return { types, minLength: rules.minLength }
}

export function compressionPlaces(rules: CompressionRules | undefined): CompressionPlaces {
  const level = rules?.level ?? levelUsual
  return level === levelUsual
    ? { uncached: '@uncached', limited: '@limited', fetch: undefined }
    : { uncached: `@uncached${level}`, limited: `@limited${level}`, fetch: `@fetch${level}` }
}

/** Whether an answer with this content type is compressed. */
export function isCompressed(compression: Compression, contentType: string | undefined): boolean {
  if (contentType === undefined) return false
  const end = contentType.indexOf(';')
  const type = end < 0 ? contentType : contentType.substring(0, end)
  return compression.types[trimmed(type).toLowerCase()] !== undefined
}
