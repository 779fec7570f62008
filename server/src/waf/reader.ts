/**
 * The process that reads an untrusted rule set: `reader.ts <archive> <fallback name>`, with the result on its output.
 */
import { readFileSync } from 'node:fs'
import { readRuleSet } from './read-rule-set.ts'

const [archive = '', fallback = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await readRuleSet(readFileSync(archive), fallback)))
