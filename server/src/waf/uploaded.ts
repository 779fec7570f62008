/** An uploaded rule set, read and compiled in a separate process. */
import { fileURLToPath } from 'node:url'
import type { RuleSetPlace } from '@breakwater/contract/nodes/rule-sets.ts'
import { fieldFault } from '../http/fault.ts'
import { readApart } from '../process/read-apart.ts'
import type { CompiledFolder } from './compile-folder.ts'
import type { ReadRuleSet } from './read-rule-set.ts'

const reader = fileURLToPath(new URL('./reader.ts', import.meta.url))

/**
 * The rule set, or what of it nodes do not support. Throws 101003 at `file` if it is not an archive, or a malicious
 * one.
 */
export async function readUploaded(
  tenantId: number,
  file: File,
): Promise<{ compiled: CompiledFolder } | { problems: RuleSetPlace[] }> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const fallback = file.name.replace(/\.(?:tar\.gz|tgz|zip)$/i, '').slice(0, 100) || 'rules'
  const read = (await readApart(tenantId, reader, [bytes], { after: [fallback] })) as ReadRuleSet
  if ('unreadable' in read) throw fieldFault('file', 'wrongFormat')
  return read
}
