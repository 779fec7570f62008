/** Reads the file with a rule set's databases: one line of JSON that describes the contents, then their bytes. */
import { decode } from 'cjson.safe'
import type { Prefilter } from '../lib/waf-tools.ts'
import { loadDatabase } from '../nginx/hyperscan.ts'
import { raise } from '../nginx/raise.ts'

export type Head = { databases: { name: string; bytes: number }[]; refused: string[] }

/** Loads an image. Throws if it is damaged or of another version. */
export function loadImage(image: string): Prefilter {
  const end = image.indexOf('\n')
  const [read] = decode(image.substring(0, Math.max(end, 0)))
  if (end < 0 || read === undefined) return raise('the databases of a rule set are damaged')
  const head = read as Head
  const prefilter: Prefilter = { databases: {}, refused: {} }
  // cjson encodes an empty list as an object.
  for (let at = 0; at < head.refused.length; at++) prefilter.refused[head.refused[at]!] = true
  let from = end + 1
  for (const { name, bytes } of head.databases) {
    prefilter.databases[name] = loadDatabase(string.sub(image, from + 1, from + bytes))
    from += bytes
  }
  return prefilter
}
