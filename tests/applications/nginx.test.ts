/** Static files from an nginx with gzip: plain, compressed, precompressed, ranges, not modified, missing. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../edge/box/harness.ts'
import { freePort } from '../harness/ports.ts'
import { type Application, inHttp3, inLong, Place, versionsAsked } from './box.ts'
import { probe } from './probes.ts'
import { inTurn } from './settings.ts'

let place: Place
let origin: Application
const text = 'Text that is worth compressing, line by line.\n'.repeat(3000)

const paths = [
  '/kept/page.html',
  '/kept/ready.css',
  '/plain/page.html',
  '/missing',
  ...inLong(
    '/kept/ready.css?v=2',
    '/plain/ready.css',
    '/kept/data.bin',
    '/plain/data.bin',
    '/kept/empty.txt',
    '/plain/',
    '/kept/',
    '/plain',
    '/kept/with%20space.html',
    '/kept/%E4%BD%A0%E5%A5%BD.html',
    '/kept//page.html',
    '/kept/%70age.html',
    '/kept/../plain/page.html',
    '/kept/image.svg',
    '/short/page.html',
    '/private/page.html',
    '/moved',
    '/forbidden',
    '/nothing',
  ),
]

/** An nginx as it is usually run: gzip with Vary, precompressed files, expiry by folder. */
async function startNginx(): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), 'bw-nginx-'))
  const port = await freePort()
  const files: Record<string, string | Buffer> = {
    'page.html': `<!doctype html>\n${text}`,
    'ready.css': text,
    'ready.css.gz': gzipSync(text, { level: 1 }),
    'data.bin': Buffer.alloc(200_000, 'binary '),
    'empty.txt': '',
    'with space.html': text,
    '你好.html': text,
    'image.svg': `<svg>${text}</svg>`,
    'index.html': 'index',
  }
  for (const name of ['kept', 'plain', 'short', 'private']) {
    mkdirSync(join(folder, 'files', name), { recursive: true })
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(join(folder, 'files', name, file), content)
      utimesSync(join(folder, 'files', name, file), 1_700_000_000, 1_700_000_000)
    }
  }
  writeFileSync(join(folder, 'nginx.conf'), config(folder, port))
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], { stdio: 'ignore' })
  await until('an origin that answers', () =>
    fetch(`http://127.0.0.1:${port}/nothing`).then(
      () => true,
      () => false,
    ),
  )
  return {
    port,
    end: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function config(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; master_process off; pid ${folder}/nginx.pid; error_log /dev/null;
    events {}
    http {
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      types { text/html html; text/css css; text/plain txt; image/svg+xml svg; }
      default_type application/octet-stream; charset utf-8; access_log off;
      gzip on; gzip_vary on; gzip_proxied any; gzip_types text/css text/plain image/svg+xml; gzip_static on;
      server {
        listen 127.0.0.1:${port};
        root ${folder}/files;
        absolute_redirect off;
        location /kept/ { expires 1h; }
        location /short/ { add_header Cache-Control "max-age=1"; }
        location /private/ { add_header Cache-Control private; add_header Set-Cookie "a=1; Path=/"; add_header Set-Cookie b=2; }
        location = /moved { return 301 /kept/page.html?from=moved; }
        location = /forbidden { return 403; }
        location = /nothing { return 204; }
      }
    }`
}

beforeAll(async () => {
  origin = await startNginx()
  place = await Place.start()
})
afterAll(async () => {
  await place?.end()
  await origin?.end()
})

test.each(versionsAsked)('every answer of an nginx with gzip arrives unchanged, over HTTP/%s', async (version) => {
  const { direct, edge } = await place.site('nginx.test', version, origin.port)
  expect(await probe(direct, edge, paths)).toEqual([])
})

test.each(inTurn)(
  'with $name every answer of an nginx with gzip arrives unchanged, over HTTP/$version',
  async ({ name, facts, version }) => {
    const host = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')}.test`
    const { direct, edge } = await place.site(host, version, origin.port, facts)
    expect(await probe(direct, edge, ['/kept/page.html', '/kept/ready.css', '/private/page.html', '/moved'])).toEqual(
      [],
    )
  },
)

test.each(['--http1.1', '--http2', ...inHttp3('--http3-only')])(
  'curl %s gets the bytes of every file, compressed or not',
  async (version) => {
    const host = `curl${version.replace(/[^a-z0-9]/g, '')}.test`
    await place.site(host, '2', origin.port)
    const { httpsPort } = place.box.settings
    for (const path of ['/kept/page.html', '/kept/ready.css', '/plain/page.html', '/kept/data.bin'])
      for (const how of [[], ['--compressed'], ['--compressed'], ['--range', '100-199'], ['--head']]) {
        const get = (url: string, ...more: string[]) =>
          execFileSync('curl', ['--silent', '--show-error', '--insecure', ...more, ...how, url], { maxBuffer: 1 << 24 })
        const through = get(
          `https://${host}:${httpsPort}${path}`,
          version,
          '--resolve',
          `${host}:${httpsPort}:127.0.0.1`,
        )
        const straight = get(`http://127.0.0.1:${origin.port}${path}`)
        if (how[0] !== '--head') expect(through.equals(straight), `${path} ${how}`).toBe(true)
        else expect(`${through}`).toMatch(new RegExp(`^HTTP/${version.match(/[\d.]+/)![0]} 200`))
      }
  },
)
