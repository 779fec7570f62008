/** Statuses of a redirect from http to https. 307 and 308 keep the method and the body. */
export const redirectCodeNames = {
  movedPermanently: 301,
  found: 302,
  temporaryRedirect: 307,
  permanentRedirect: 308,
} as const

export const redirectCodes = Object.values(redirectCodeNames)
