/** Allowed origins of CORS. */

/** A scheme and a host, with or without a port; the host's first label may be `*`. */
export const hostLike =
  /^https?:\/\/(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/
