/** The publishers whose signatures on WAF rule sets an operator trusts. */
import {
  publisherKeysMax,
  RuleSetPublishers,
  type RuleSetSigner,
  ruleSetPublishers,
} from '@breakwater/contract/nodes/rule-set-publishers.ts'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import type { Feature } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { settingsFeature } from '../settings/owned-settings.ts'
import { readPublicKeys } from '../waf/openpgp-keys.ts'
import { signerOf } from '../waf/signature.ts'

type Saved = z.output<typeof RuleSetPublishers>
const none: Saved = { keys: '', required: false }

export function ruleSetPublishersFeature(services: Services): Feature {
  return settingsFeature(services, ruleSetPublishers, {
    saved: RuleSetPublishers,
    none,
    save(_services, _db, _caller, { keys, required }): Saved {
      const known = readPublicKeys(keys)
      if (known === undefined) throw fieldFault('keys', 'wrongFormat')
      if (known.publishers.length > publisherKeysMax) throw fieldFault('keys', 'itemsExceedLimit')
      if (new Set(known.publishers.map(({ fingerprint }) => fingerprint)).size < known.publishers.length)
        throw fieldFault('keys', 'duplicatedData')
      if (required && known.publishers.length === 0) throw fieldFault('keys', 'required')
      return { keys, required }
    },
    show: (_services, _caller, saved) => ({ ...saved, publishers: readPublicKeys(saved.keys)?.publishers ?? [] }),
    // Keys are long, and their owners are more informative.
    audited: ({ keys, required }) => ({ required, publishers: readPublicKeys(keys)?.publishers ?? [] }),
  })
}

/** The publishers that the caller's operator trusts. */
export async function readPublishers(db: Database): Promise<Saved> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('owner', '=', 'operator')
    .where('name', '=', ruleSetPublishers.name)
    .executeTakeFirst()
  return row === undefined ? none : RuleSetPublishers.parse(row.value)
}

/** Who signed an upload; undefined if nobody did and no signature is required. Throws 101003 at `signature`. */
export async function requireSigner(
  { keys, required }: Saved,
  { file, signature }: { file: File; signature?: File | undefined },
): Promise<RuleSetSigner | undefined> {
  if (!signature) {
    if (required) throw fieldFault('signature', 'required')
    return undefined
  }
  const [bytes, signed] = await Promise.all([file.bytes(), signature.bytes()])
  return signerOf(bytes, signed, keys)
}
