/** Request bodies sent as form data: fields as strings, files as files. */
import { fileBytesUsual } from '@breakwater/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { Fault, fieldFault } from './fault.ts'

/** The limits of a form. A file's own limit is in the contract; this one protects memory. */
export const formLimits = {
  fileSize: fileBytesUsual,
  files: 8,
  fields: 40,
  fieldSize: 16_384,
  fieldNameSize: 64,
  parts: 48,
}

/** Reads the whole form, with files of up to `fileBytesMax`. Rejects duplicate fields and names that are not plain. */
export async function readForm(
  request: FastifyRequest,
  fileBytesMax = fileBytesUsual,
): Promise<Record<string, unknown>> {
  const body = new Map<string, unknown>()
  let field = 'body'
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytesMax } })) {
      field = part.fieldname
      if (body.has(field)) throw fieldFault(field, 'wrongFormat')
      if (part.type === 'file') {
        const file = await part.toBuffer()
        // A browser sends an unused file field as an empty file without a name.
        if (file.length > 0) body.set(field, new File([new Uint8Array(file)], part.filename, { type: part.mimetype }))
      } else {
        if (part.valueTruncated) throw fieldFault(field, 'charactersExceedLimit', 'charactersExceedLimit')
        body.set(field, part.value)
      }
    }
  } catch (error) {
    if (error instanceof Fault) throw error
    const tooLarge = (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE'
    if (!tooLarge) throw fieldFault(field, 'wrongFormat')
    throw fieldFault(field, fileBytesMax > fileBytesUsual ? 'fileTooLarge' : 'imageTooLarge')
  }
  return Object.fromEntries(body)
}
