/** Who attacks the shop: public tools, each from an address of its own, on the loopback alone and for a bounded time. */
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'

export type Relay = { port: number; stop: () => Promise<void> }

/**
 * Passes connections on to a port, each from the next of these addresses of 127.0.0.0/8: tools cannot be told theirs.
 * `host` takes the place of the Host header that they send, for those that cannot be told it either.
 */
export async function relayFrom(addresses: string[], port: number, host?: string): Promise<Relay> {
  let next = 0
  const server = createServer((client) => {
    const edge = connect({ host: '127.0.0.1', port, localAddress: addresses[next++ % addresses.length] })
    // An attacker's connection that ends early is none of the drill's business.
    for (const [one, other] of [
      [client, edge],
      [edge, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    const named = new Transform({
      transform: (chunk: Buffer, _encoding, done) =>
        done(null, Buffer.from(chunk.toString('latin1').replace(/^Host: .*$/im, `Host: ${host}`), 'latin1')),
    })
    if (host === undefined) client.pipe(edge)
    else client.pipe(named).pipe(edge)
    edge.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close()
    },
  }
}

export const toolsFolder = mkdtempSync(join(tmpdir(), 'breakwater-attack-'))

/** Where this machine has Debian's packages from; throws where it lists none. */
function debianMirror(): string {
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((name) => join(folder, name))]
  const lines = files.filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const url = /^(?:deb |URIs: ).*?(https?:\/\/\S+\/debian)\/?(?:\s|$)/
  const mirror = lines.map((line) => url.exec(line)?.[1]).find((found) => found !== undefined)
  if (mirror === undefined) throw new Error('no source of packages lists Debian')
  return mirror
}

/** The newest .deb of each, unpacked and not installed. nikto stands in Debian's non-free, which machines seldom list. */
export function fetchTools(): void {
  const lists = join(toolsFolder, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  const sources = join(toolsFolder, 'sources.list')
  writeFileSync(sources, `deb ${debianMirror()} bookworm main non-free\n`)
  const own = ['-o', `Dir::Etc::sourcelist=${sources}`, '-o', 'Dir::Etc::sourceparts=/dev/null']
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', ...own, '-o', `Dir::State::lists=${lists}`, ...args], {
      cwd: toolsFolder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  apt('update')
  apt('download', 'sqlmap', 'nikto', 'libwhisker2-perl', 'wrk')
  for (const name of readdirSync(toolsFolder).filter((one) => one.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', name, 'root'], { cwd: toolsFolder })
}

const tool = (path: string) => join(toolsFolder, 'root', path)

/** What a program printed, however it ended; it is ended after `seconds`. */
function run(command: string, args: string[], seconds: number, env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { timeout: seconds * 1000, maxBuffer: 1 << 26, env: { ...process.env, HOME: toolsFolder, ...env } },
      (error, stdout, stderr) => {
        if (error && 'code' in error && error.code === 'ENOENT') reject(error)
        else resolve(`${stdout}${stderr}`)
      },
    )
  })
}

/** Asks sqlmap for holes of the search. `more` are its options beside the usual ones. */
export async function sqlmap(port: number, host: string, ...more: string[]): Promise<{ found: boolean; said: string }> {
  const output = mkdtempSync(join(toolsFolder, 'sqlmap-'))
  const said = await run(
    'python3',
    [
      tool('usr/share/sqlmap/sqlmap.py'),
      ...['--url', `http://127.0.0.1:${port}/search?q=mug`, '--host', host],
      ...['--batch', '--flush-session', '--disable-coloring', '--output-dir', output, '--threads', '4'],
      // The edge's own pages answer in its place when it refuses: sqlmap shall go on all the same.
      ...['--ignore-code', '403,429,503', '--technique', 'BEU', ...more],
    ],
    240,
  )
  return { found: said.includes('identified the following injection point'), said }
}

/** Lets nikto scan for `seconds` under this User-Agent; what it said. */
export function nikto(port: number, agent: string, seconds: number): Promise<string> {
  const config = join(toolsFolder, 'nikto.txt')
  writeFileSync(
    config,
    `EXECDIR=${tool('var/lib/nikto')}\nPLUGINDIR=${tool('var/lib/nikto/plugins')}\nDBDIR=${tool('var/lib/nikto/databases')}\nLW_SSL_ENGINE=auto\nPROMPTS=no\nUPDATES=no\nRFIURL=http://example.com/rfi.txt\nSKIPPORTS=21 111\nDEFAULTHTTPVER=1.1\n@@MUTATE=dictionary;subdomain\n@@DEFAULT=@@ALL;-@@MUTATE\nUSERAGENT=${agent}\nFAILURES=100000\n`,
  )
  const perl = { PERL5LIB: tool('usr/share/perl5') }
  return run(
    'perl',
    [
      tool('usr/bin/nikto'),
      ...['-config', config, '-host', '127.0.0.1', '-port', `${port}`, '-nossl', '-ask', 'no'],
      ...['-maxtime', `${seconds}`],
    ],
    seconds + 30,
    perl,
  )
}

/** Floods with wrk for `seconds`; says what it counted. */
export const flood = (port: number, host: string, path: string, seconds: number): Promise<string> =>
  run(
    existsSync('/usr/bin/wrk') ? 'wrk' : tool('usr/bin/wrk'),
    ['-t1', '-c32', `-d${seconds}s`, '-H', `Host: ${host}`, `http://127.0.0.1:${port}${path}`],
    seconds + 30,
  )

/** Tries names and passwords, one after the other, until all are tried; the statuses that came. */
export async function stuffCredentials(
  from: string,
  tries: number,
  send: (path: string, headers: Record<string, string>, options: object) => Promise<{ status: number }>,
): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < tries; n++) {
    const body = new URLSearchParams({ user: `person-${n}@example.com`, password: `Summer-${n}` }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0', accept: '*/*' }
    statuses.push((await send('/login', headers, { method: 'POST', body, from })).status)
  }
  return statuses
}
