/** Parses an upload in a separate process. */
import { fileURLToPath } from 'node:url'
import type { ImportDraft, ImportKind } from '@breakwater/contract/import/site-import.ts'
import { fieldFault } from '../http/fault.ts'
import { readApart as read } from '../process/read-apart.ts'
import type { Unreadable } from './read-source.ts'

const reader = fileURLToPath(new URL('./reader.ts', import.meta.url))

/** The draft of a source. Throws 101003 on `file` or `rules` if it is of another kind or takes too long. */
export async function readApart(
  tenantId: number,
  kind: ImportKind,
  file: Uint8Array | undefined,
  rules: Uint8Array | undefined,
): Promise<ImportDraft> {
  const answer = (await read(tenantId, reader, [file, rules], { before: [kind] })) as ImportDraft | Unreadable
  if ('unreadable' in answer) throw fieldFault(answer.unreadable, 'wrongFormat')
  return answer
}
