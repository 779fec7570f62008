/** The DNS zone of the edge: from the environment, the command line, what was saved, or a question at the first start. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'

const NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i

type Terminal = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }
type Known = {
  dataFolder: string
  /** BREAKWATER_EDGE_DOMAIN; it counts before everything else, and is not saved. */
  ofEnvironment: string | undefined
  /** --edge-domain: saved for later starts; empty takes a saved one back. */
  ofCommandLine: string | undefined
  /** Where a person can be asked; nothing where nobody sits there. */
  terminal: Terminal | undefined
}

const pathOf = (dataFolder: string) => join(dataFolder, 'edge-domain')

/** The zone, or nothing where there is none. Throws where the command line names none that can be. */
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
  // Nothing too is an answer: it is not asked again.
  save(dataFolder, answer)
  return answer || undefined
}

/** Lower case, without a dot at the end; empty for none, undefined for what is no name. */
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
