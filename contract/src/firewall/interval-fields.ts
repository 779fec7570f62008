/** How many requests in how many seconds: the fields of counting rules, as they are saved and as nodes get them. */
import { z } from 'zod'

export const intervalSecondsMax = 86_400
export const intervalTimesMax = 100_000_000

export const intervalFields = {
  seconds: z
    .number()
    .int('number')
    .min(1, 'number')
    .max(intervalSecondsMax, 'number')
    .describe('How long the requests of an address are counted, from the first of them.'),
  times: z
    .number()
    .int('number')
    .min(1, 'number')
    .max(intervalTimesMax, 'number')
    .describe('Requests in that time before the rule acts.'),
}

export const edgeIntervalFields = {
  seconds: z.number().int().min(1).max(intervalSecondsMax),
  times: z.number().int().min(1).max(intervalTimesMax),
}
