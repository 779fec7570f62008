/** What publishing needs to know about the installation. */
import type { Parts } from './part.ts'

export type Publisher = {
  /** Every part of a site's document. */
  parts: Parts
  /** The operator's exceptions for origins in private networks, as CIDRs. */
  allowOrigins: string[]
}
