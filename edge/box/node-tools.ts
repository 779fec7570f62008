/** The pure guards in Node, with RegExp and arrays instead of nginx's PCRE and mapped files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Matching } from '../src/request/guards/explain.ts'
import { compileGuards, type Steps } from '../src/request/guards/guards.ts'
import { inRangeSet, type RangeSet } from '../src/request/lib/address.ts'
import { anyOf } from '../src/request/lib/any-of.ts'
import type { AddressList, CompileTools, Regex } from '../src/request/lib/guard.ts'
import { readArtefact, readPart } from '../src/request/sites/source.ts'

/** Parses the binary form (contract/src/edge/ip-set.ts). */
export function readIpSet(bytes: Buffer): RangeSet {
  const set: RangeSet = { v4: [], v6: [] }
  const [v4, v6] = [bytes.readUInt32LE(8), bytes.readUInt32LE(12)]
  const big = (at: number) => Buffer.from([...bytes.subarray(at, at + 4)].reverse()).toString('latin1')
  for (let i = 0; i < v4; i++) set.v4.push({ from: big(16 + i * 8), to: big(20 + i * 8) })
  const base = 16 + v4 * 8
  const text = (at: number) => bytes.subarray(at, at + 16).toString('latin1')
  for (let i = 0; i < v6; i++) set.v6.push({ from: text(base + i * 32), to: text(base + i * 32 + 16) })
  return set
}

export const matching: Matching = {
  matches: (regex, text) => (regex as unknown as RegExp).test(text),
  mayMatch: (regex, text) => (regex as unknown as RegExp).test(text),
  country: () => 'ZZ',
  asn: () => 0,
  listed: (list, bytes) => inRangeSet(list as unknown as RangeSet, bytes),
  formDecoded: (text) => decodeURIComponent(text.replaceAll('+', ' ')),
}

const object = (folder: string, hash: string) => readFileSync(join(folder, 'objects', hash.slice(0, 2), hash))

/** The guards of an artefact in a node's folder, compiled in Node. */
export function guardsOf(folder: string, hash: string): Steps {
  const tools: CompileTools = {
    regex: (source) => new RegExp(source) as unknown as Regex,
    anyOf: (sources) => new RegExp(anyOf(sources)) as unknown as Regex,
    addressList: (list) => readIpSet(object(folder, list)) as unknown as AddressList,
    wafRules: () => {
      throw new Error('the rules of the WAF are asked with PCRE alone')
    },
  }
  const objects = {
    read: (name: string) => object(folder, name).toString('latin1'),
    decode: (text: string) => JSON.parse(text) as unknown,
  }
  const { artefact } = readArtefact(hash, objects)
  const { firewall } = artefact.parts
  return compileGuards(
    'site',
    (kind) => (kind === 'firewall' ? readPart(kind, firewall, objects).part : undefined),
    tools,
  )
}
