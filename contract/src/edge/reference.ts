/**
 * A reference id: what a refusal shows the visitor, and what Explain opens without any log. Base64url without padding of
 *
 *   version 1 (1 byte) · group (3) · nonce (8) · ciphertext (21) · tag (8)
 *
 * AES-256-GCM with key `HMAC-SHA256(groupKey, "breakwater reference")`, initialisation vector = nonce + 4 zero bytes,
 * additional data = the first 4 bytes, tag cut to 8 bytes. Plain text, big-endian: node (3) · site (4) · revision (3) ·
 * guard's place in `guardIds` (1) · rule (4) · cause (2) · epoch seconds (4).
 */
export const referenceVersion = 1
export const referenceBytes = 41
export const referenceKeyContext = 'breakwater reference'
export const referencePattern = /^[A-Za-z0-9_-]{55}$/

/** The cookie of a passed challenge; its key is `HMAC-SHA256(groupKey, "breakwater challenge|<site>|<UTC day number>")`. */
export const challengeCookie = 'bw_pass'
export const challengeKeyContext = 'breakwater challenge'
