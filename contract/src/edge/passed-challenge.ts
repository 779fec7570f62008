/** What it is worth to a visitor to have passed a challenge. */

/** Seconds for which it counts. */
export const passSeconds = 1800

/** Limits that challenge refuse a visitor who has passed only above so many times what they let pass. */
export const passedFactor = 10
