/** The OWASP Core Rule Set of Debian's package `modsecurity-crs`, which is the default. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../http/fault.ts'
import { type CompiledFolder, compileFolder } from './compile-folder.ts'
import { objectsOf, type RuleSet, usesControls } from './rule-set.ts'

const folder = '/usr/share/modsecurity-crs/rules'

let compiled: RuleSet | undefined

/** Compiled once a process. Throws a fault where the package is not installed, and the place where a rule cannot be said. */
export function coreRuleSet(): RuleSet {
  if (!compiled) {
    const made = compileInstalled()
    compiled = { ...made, objects: objectsOf(made), usesControls: usesControls(made) }
  }
  return compiled
}

function compileInstalled(): CompiledFolder {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    throw new Fault('parameterError', 'the package modsecurity-crs is not installed')
  }
  const files = names.filter((name) => /\.(?:conf|data)$/.test(name))
  return compileFolder(new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')])), 'OWASP CRS')
}
