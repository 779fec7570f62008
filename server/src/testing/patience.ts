/** For pools of tests, in ms: their calls come at once and wait for each other, on a machine that others load too. */
export const patienceMs = { connection: 60_000, statement: 120_000 }
