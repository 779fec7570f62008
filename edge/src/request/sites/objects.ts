/** Objects on the node's disk: immutable files named by the SHA-256 of their bytes. */
import { decode, null as nothing } from 'cjson.safe'
import { compileRuleSet } from '../firewall/waf/rule-set.ts'
import type { CompileTools } from '../lib/guard.ts'
import type { WafRuleSet } from '../lib/waf-tools.ts'
import { openAddressList } from '../nginx/address-list.ts'
import { hex, sha256 } from '../nginx/crypto.ts'
import { readFile } from '../nginx/files.ts'
import { requireInjection } from '../nginx/injection.ts'
import { node } from '../nginx/node.ts'
import { patternCompiler } from '../nginx/patterns.ts'
import { compileAnyOf, compileRegex } from '../nginx/regex.ts'
import { sharing } from '../nginx/sharing.ts'
import { attachPrefilter } from './prefilters.ts'
import { type Objects, readPart } from './source.ts'

function path(hash: string): string {
  return `${node().folder}/objects/${hash.substring(0, 2)}/${hash}`
}

function fromJson(text: string): unknown {
  const [value] = decode(text)
  return value === nothing ? undefined : value
}

/** Objects whose bytes do not match their name are treated as missing, even if they were intact when applied. */
export const objects: Objects = {
  read(hash) {
    const bytes = readFile(path(hash))
    return bytes !== undefined && hex(sha256(bytes)) === hash ? bytes : undefined
  },
  decode: fromJson,
}

const ruleSets = sharing<WafRuleSet>()

function ruleSetOf(hash: string): WafRuleSet {
  requireInjection()
  const { part } = readPart('wafRules', hash, objects)
  const ruleSet = { rules: compileRuleSet(part, patternCompiler), prefilter: undefined, sievings: {} }
  attachPrefilter({ hash, path: path(hash), part, ruleSet })
  return ruleSet as unknown as WafRuleSet
}

export const compileTools: CompileTools = {
  regex: compileRegex,
  anyOf: compileAnyOf,
  addressList: (hash) => openAddressList(path(hash)),
  wafRules: (hash) => ruleSets(hash, () => ruleSetOf(hash)),
}
