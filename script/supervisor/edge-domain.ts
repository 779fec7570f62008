/**
 * The DNS zone of the edge: from the environment, the command line, the saved value, or a question at the first start.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'

const NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i

type Terminal = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }
type Known = {
  dataFolder: string
  /** BREAKWATER_EDGE_DOMAIN; takes precedence over everything else, and is not saved. */
  ofEnvironment: string | undefined
  /** --edge-domain: saved for later starts; an empty value removes the saved one. */
  ofCommandLine: string | undefined
  /** Where a person can be asked; undefined if there is no terminal. */
  terminal: Terminal | undefined
}

const pathOf = (dataFolder: string) => join(dataFolder, 'edge-domain')

/** The zone, or undefined if there is none. Throws if the command line names an invalid one. */
export async function chooseEdgeDomain(known: Known): Promise<string | undefined> {
  const { dataFolder, ofEnvironment, ofCommandLine, terminal } = known
  if (ofCommandLine !== undefined) {
    const name = plainName(ofCommandLine)
    if (name === undefined) throw new Error(`--edge-domain ${ofCommandLine}: not a DNS name like edge.example.com.`)
    save(dataFolder, name)
  }
  if (ofEnvironment) return ofEnvironment
  if (existsSync(pathOf(dataFolder))) return readFileSync(pathOf(dataFolder), 'utf8').trim() || undefined
  if (!terminal) return undefined
  const answer = await ask(terminal)
  // An empty answer is saved too, so that the question is not asked again.
  save(dataFolder, answer)
  return answer || undefined
}

/** Lower case, without a trailing dot; empty for none, undefined for an invalid name. */
function plainName(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^\.|\.$/g, '')
  return name === '' || NAME.test(name) ? name : undefined
}

async function ask({ input, output }: Terminal): Promise<string> {
  const lines = createInterface({ input, output })
  output.write(
    '\nThe DNS zone of your edge, for example edge.example.com: customers point their domains at names in it.\n',
  )
  output.write('Without one they point at addresses of nodes. Set it later with script/server --edge-domain.\n')
  try {
    for (;;) {
      const name = plainName(await lines.question('DNS zone of the edge (Enter for none): '))
      if (name !== undefined) return name
      output.write('That is not a DNS name.\n')
    }
  } finally {
    lines.close()
  }
}

function save(dataFolder: string, name: string): void {
  writeFileSync(pathOf(dataFolder), `${name}\n`)
}
