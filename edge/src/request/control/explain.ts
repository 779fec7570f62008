/** Explains a request under any artefact on disk, whether or not a pointer leads to it. Touches no live counter. */
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { explain as explainPure } from '../explain.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { isListed } from '../nginx/address-list.ts'
import { matchesRegex, mayMatchRegex } from '../nginx/regex.ts'
import { compiled } from '../sites/current.ts'

export function explain(body: { artefact: string; request: SimulatedRequest }): unknown {
  const problem = problemOf(hash, body.artefact, 'artefact')
  if (problem !== undefined) throw new Error(problem)
  const matching = { matches: matchesRegex, mayMatch: mayMatchRegex, listed: isListed }
  return explainPure(compiled(body.artefact).steps, body.request, matching)
}
