/** How bad the reputation of an address is: 1 to 100, higher is worse. An address without a reputation has no score. */
import { z } from 'zod'

export const scoreMax = 100

export const Score = z.number().int('number').min(1, 'number').max(scoreMax, 'number')
