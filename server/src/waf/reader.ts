/** The process in which a stranger's rule set is read: `reader.ts <archive> <fallback name>`, what it is on its output. */
import { readFileSync } from 'node:fs'
import { readRuleSet } from './read-rule-set.ts'

const [archive = '', fallback = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await readRuleSet(readFileSync(archive), fallback)))
