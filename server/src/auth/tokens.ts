/** Opaque tokens: 256 random bits, kept as SHA-256 only. A look-up costs a microsecond of hashing and one index read. */
import { createHash, randomBytes } from 'node:crypto'

export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
