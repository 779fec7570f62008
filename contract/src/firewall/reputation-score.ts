/** How bad the reputation of an address is: 1 to 100, the higher the worse. Who has none has no score. */
import { z } from 'zod'

export const scoreMax = 100

export const Score = z.number().int('number').min(1, 'number').max(scoreMax, 'number')
