/**
 * Timeouts of database pools in tests, in ms: their calls come at once and wait for each other, on a machine that runs
 * other work too.
 */
export const patienceMs = { connection: 60_000, statement: 120_000 }
