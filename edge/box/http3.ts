/** HTTP/3 requests with curl, if both curl and nginx support it (Debian 13, or `script/debian-13`). */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, Asking, Place } from './transparent/ask.ts'

const said = (program: string) => {
  const { stdout, stderr } = spawnSync(program, ['-V'], { encoding: 'utf8' })
  return `${stdout} ${stderr}`
}

/** Whether nginx and curl on this machine support it. */
export const isHttp3Here = said('nginx').includes('--with-http_v3_module') && said('curl').includes('HTTP3')

/** The arguments for curl: sends only the given headers, and the path unchanged. */
function words({ port, host }: Place, { method = 'GET', path, headers = {} }: Asking): string[] {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const silenced = ['user-agent', 'accept', 'content-type'].filter((name) => !own.has(name))
  return [
    ...['-s', '-k', '-g', '--raw', '--path-as-is', '--http3-only', '--resolve', `${host}:${port}:127.0.0.1`],
    ...(method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...silenced.flatMap((name) => ['-H', `${name}:`]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', value === '' ? `${name};` : `${name}: ${value}`]),
    `https://${host}:${port}${path}`,
  ]
}

/** Sends a request over HTTP/3 on a separate connection. Trailers are not reported. */
export async function askHttp3(place: Place, asking: Asking): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'bw-http3-'))
  const [head, body, sent] = ['head', 'body', 'sent'].map((name) => join(folder, name)) as [string, string, string]
  try {
    writeFileSync(body, '')
    if (asking.body !== undefined) writeFileSync(sent, asking.body)
    const given = asking.body === undefined ? [] : ['--data-binary', `@${sent}`]
    const patience = `${(asking.patience ?? 60_000) / 1000}`
    const began = performance.now()
    await run(['-D', head, '-o', body, '--max-time', patience, ...given, ...words(place, asking)])
    const ms = performance.now() - began
    const blocks = readFileSync(head, 'latin1').trimEnd().split('\r\n\r\n').map(parseHead)
    const final = blocks.at(-1)!
    const interim = blocks.slice(0, -1).map(({ status }) => status)
    // For HEAD, curl writes the headers there as well.
    const content = asking.method === 'HEAD' ? Buffer.alloc(0) : readFileSync(body)
    return { ...final, trailers: [], interim, body: content, ms }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts an upload shorter than its Content-Length. Returns a function that kills it. `-T .` sends data at once. */
export function beginHttp3(place: Place, asking: Asking): () => void {
  const child = spawn('curl', ['-T', '.', ...words(place, asking)], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.write(asking.body!)
  return () => child.kill('SIGKILL')
}

/** Throws if curl got no response. */
function run(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`curl ended with ${code}`))))
  })
}

function parseHead(text: string): { status: number; lines: [string, string][] } {
  const [status, ...lines] = text.split('\r\n')
  return {
    status: Number(status!.split(' ')[1]),
    lines: lines.map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  }
}
