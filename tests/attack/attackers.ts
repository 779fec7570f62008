/**
 * The attackers of the shop: public tools, each from an address of its own, on loopback only and for a limited time.
 */
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'

export type Relay = { port: number; stop: () => Promise<void> }

/**
 * Forwards connections to a port, each from the next of these addresses in 127.0.0.0/8, as the tools cannot set their
 * source address. `host` replaces the Host header that they send, for those that cannot set that either.
 */
export async function relayFrom(addresses: string[], port: number, host?: string): Promise<Relay> {
  let next = 0
  const server = createServer((client) => {
    const edge = connect({ host: '127.0.0.1', port, localAddress: addresses[next++ % addresses.length] })
    // An attacker's connection may end early; the drill ignores that.
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

/** The Debian mirror that this machine uses; throws if none is configured. */
function debianMirror(): string {
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((name) => join(folder, name))]
  const lines = files.filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const url = /^(?:deb |URIs: ).*?(https?:\/\/\S+\/debian)\/?(?:\s|$)/
  const mirror = lines.map((line) => url.exec(line)?.[1]).find((found) => found !== undefined)
  if (mirror === undefined) throw new Error('no source of packages lists Debian')
  return mirror
}

/**
 * Downloads the newest .deb of each tool and unpacks it without installing. nikto is in Debian's non-free, which few
 * machines have configured.
 */
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

/** Output of a program, however it exits; it is killed after `seconds`. */
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

/** Has sqlmap test the search. `more` are options in addition to the usual ones. */
export async function sqlmap(port: number, host: string, ...more: string[]): Promise<{ found: boolean; said: string }> {
  const output = mkdtempSync(join(toolsFolder, 'sqlmap-'))
  const said = await run(
    'python3',
    [
      tool('usr/share/sqlmap/sqlmap.py'),
      ...['--url', `http://127.0.0.1:${port}/search?q=mug`, '--host', host],
      ...['--batch', '--flush-session', '--disable-coloring', '--output-dir', output, '--threads', '4'],
      // A refusal returns the edge's own pages: sqlmap should continue anyway.
      ...['--ignore-code', '403,429,503', '--technique', 'BEU', ...more],
    ],
    240,
  )
  return { found: said.includes('identified the following injection point'), said }
}

/** Lets nikto scan for `seconds` with this User-Agent; returns its output. */
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

/** Floods with wrk for `seconds`; returns its summary. */
export const flood = (port: number, host: string, path: string, seconds: number): Promise<string> =>
  run(
    existsSync('/usr/bin/wrk') ? 'wrk' : tool('usr/bin/wrk'),
    ['-t1', '-c32', `-d${seconds}s`, '-H', `Host: ${host}`, `http://127.0.0.1:${port}${path}`],
    seconds + 30,
  )

/** Tries `tries` names and passwords one after the other; returns the statuses. */
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
