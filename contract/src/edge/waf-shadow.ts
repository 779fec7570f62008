/**
 * What the shadow rule set made of a request, as in the request's row, separated by spaces: the beginning of the rule
 * set's hash, the verdict of the site's own rule set, the verdict of this one, its score, and the rules that matched,
 * in the row's format for the site's own (`rule:score:where`). Example: `a1b2c3d4 pass refuse 5 942100:5:ARGS:id`. Both
 * verdicts are those of a site that enforces; a site that observes refuses neither.
 */
export const shadowWords = { pass: 'pass', refuse: 'refuse' } as const

/** How many characters of the hash are in rows. */
export const shadowNameLength = 8
