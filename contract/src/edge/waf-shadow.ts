/**
 * What the rule set in shadow made of a request, as the request's row says it, apart by spaces: the beginning of the rule
 * set's hash, what the site's own rule set decided, what this one would have, its score, and the rules that matched as the
 * row says them of the site's own (`rule:score:where`). `a1b2c3d4 pass refuse 5 942100:5:ARGS:id`. Both verdicts are those
 * of a site that enforces; a site that observes refuses neither.
 */
export const shadowWords = { pass: 'pass', refuse: 'refuse' } as const

/** Characters of the hash that rows say. */
export const shadowNameLength = 8
