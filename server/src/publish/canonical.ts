/** Content addresses: the SHA-256 of a value's canonical JSON, or of bytes. */
import { createHash } from 'node:crypto'

/** JSON with sorted keys and no undefined, so that equal values have equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

export const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
