/**
 * A reference id: shown to the visitor on a refusal, and read by Explain without any log. Base64url without padding of
 *
 *   version 2 (1 byte) · group (3) · nonce (8) · ciphertext (21) · tag (8)
 *
 * The nonce is the first 8 bytes of the request's id (the log row's `requestId`), which no other id begins with, so a
 * reference names exactly one request. A request is answered at most once, so a nonce is not used twice.
 *
 * AES-256-GCM with key `HMAC-SHA256(groupKey, "breakwater reference")`, initialisation vector = nonce + 4 zero bytes,
 * additional data = the first 4 bytes, tag cut to 8 bytes. Plain text, big-endian: node (3) · site (4) · revision (3) ·
 * guard's number in `guardIds` (1) · rule (4) · cause (2) · epoch seconds (4).
 */
export const referenceVersion = 2
/** How many bytes of the request id the nonce takes. */
export const referenceNonceBytes = 8
export const referenceBytes = 41
export const referenceKeyContext = 'breakwater reference'
export const referencePattern = /^[A-Za-z0-9_-]{55}$/

/**
 * The cookie of a passed challenge; its key is `HMAC-SHA256(groupKey, "breakwater challenge|<site>|<UTC day number>")`.
 */
export const challengeCookie = 'bw_pass'
export const challengeKeyContext = 'breakwater challenge'
