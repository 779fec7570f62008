/** What a passed challenge is worth to a visitor. */

/** How long it counts, in seconds. */
export const passSeconds = 1800

/** Limits that challenge block a visitor who has passed only above this many times the limit. */
export const passedFactor = 10
