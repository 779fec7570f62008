/** The process in which an uploaded file is parsed: `reader.ts <kind> <file> <rules>`, with the draft on its output. */
import { importKinds } from '@breakwater/contract/import/site-import.ts'
import { readSource } from './read-source.ts'

const [kind, file, rules] = process.argv.slice(2)
const known = importKinds.find((one) => one === kind)
if (!known) throw new Error(`no kind of source: ${kind}`)
process.stdout.write(JSON.stringify(readSource({ kind: known, file: file || undefined, rules: rules || undefined })))
