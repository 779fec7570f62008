/**
 * The product's own codes for the edge's decisions. The visitor gets 403, 429 or 503; logs and statistics have these.
 */
export const causes = {
  /** Nothing decided; the request continued. */
  none: 0,
  /** Dropped without a response: unknown host, protocol abuse. */
  drop: 444,
  /** Blocked by a deny list or a region. */
  denyList: 903,
  /** Blocked by an access rule: body, header, referer, user agent. */
  accessRule: 904,
  /** Rate limited. */
  rateLimit: 929,
  /** Challenged, or a challenge failed. */
  challenge: 978,
} as const
export type Cause = (typeof causes)[keyof typeof causes]
