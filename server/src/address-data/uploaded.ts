/** Uploaded address data, parsed and validated in a separate process. */
import { fileURLToPath } from 'node:url'
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import type { AddressDataProblem } from '@breakwater/contract/nodes/address-data.ts'
import { readApart } from '../process/read-apart.ts'

const reader = fileURLToPath(new URL('./reader.ts', import.meta.url))
/** A million lines take seconds, and many more on a busy machine. */
const timeMaxMs = 120_000

/** `bytes` and `names` are gzip in base64. */
type Read = { bytes: string; names: string | null; v4: number; v6: number; source: string; builtAt: string | null }
export type ReadUpload = Read | { problems: AddressDataProblem[] }

/** Throws 101003 on the field `file` if parsing takes too long or too much memory. */
export async function readUploadedData(
  tenantId: number,
  kind: AddressDataKind,
  files: readonly File[],
): Promise<ReadUpload> {
  const bytes = await Promise.all(files.map((file) => file.bytes()))
  const names = files.map(({ name }) => name.slice(0, 200))
  const after = [kind, ...names]
  return (await readApart(tenantId, reader, [bytes[0], bytes[1]], { after, timeMaxMs })) as ReadUpload
}
