/** Runs `nft`, the tool of the kernel's packet filter. It needs root or CAP_NET_ADMIN. */
import { spawn } from 'node:child_process'

const TIMEOUT_MS = 20_000

export type Nft = {
  /** Applies the lines, all or none. Throws with nft's error message. */
  run(lines: string): Promise<void>
  /** Whether the lines would be accepted. */
  would(lines: string): Promise<boolean>
  /** A table as JSON; undefined if it does not exist. */
  list(table: string): Promise<string | undefined>
}

type Ended = { code: number | null; out: string; said: string }

function call(args: readonly string[], input: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('nft', args, { timeout: TIMEOUT_MS, stdio: ['pipe', 'pipe', 'pipe'] })
    const [out, said]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
    child.on('error', reject)
    // If nft exits before it has read all input, its own message says why.
    child.stdin.on('error', () => {})
    child.on('close', (code) => {
      resolve({ code, out: Buffer.concat(out).toString('utf8'), said: Buffer.concat(said).toString('utf8') })
    })
    child.stdin.end(input)
  })
}

const reason = ({ code, said }: Ended) => `nft ended with ${code}: ${said.trim().slice(0, 300)}`

export const nft: Nft = {
  async run(lines) {
    const ended = await call(['-f', '-'], lines)
    if (ended.code !== 0) throw new Error(reason(ended))
  },
  async would(lines) {
    try {
      return (await call(['-c', '-f', '-'], lines)).code === 0
    } catch {
      return false
    }
  },
  async list(table) {
    const ended = await call(['--json', 'list', 'table', ...table.split(' ')], '')
    if (ended.code === 0) return ended.out
    if (/No such file/.test(ended.said)) return undefined
    throw new Error(reason(ended))
  },
}
