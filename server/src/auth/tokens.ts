/**
 * Opaque tokens: 256 random bits, stored only as SHA-256. A lookup costs a microsecond of hashing and one index read.
 */
import { createHash, randomBytes } from 'node:crypto'

export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
