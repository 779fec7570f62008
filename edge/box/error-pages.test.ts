/** Error pages on the wire: by status or cause, with escaped placeholders, only for browsers, and without scripts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { withPage } from './chromium.ts'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, header, versions } from './transparent/ask.ts'

/** Fragments that run scripts if allowed: in elements, attributes, links, styles, frames and forms. */
const corpus = [
  '<script>ran()</script>',
  '<script src="/ran"></script>',
  '<img src=x onerror="ran()">',
  '<svg onload="ran()"><animate onbegin="ran()" attributeName=x dur=1s></svg>',
  '<body onload="ran()" onpageshow="ran()">',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
  '<iframe src="javascript:parent.ran()"></iframe>',
  '<object data="javascript:ran()"></object><embed src="javascript:ran()">',
  '<meta http-equiv="refresh" content="0;url=javascript:ran()">',
  '<details open ontoggle="ran()">x</details>',
  '<input autofocus onfocus="ran()">',
  '<math><mtext><style><img src=x onerror="ran()"></style></mtext></math>',
  '<link rel="stylesheet" href="/ran"><style>@import "/ran";</style>',
  '<form id=f action="/ran"></form><button form=f autofocus>x</button>',
  '<a href="javascript:ran()" autofocus>x</a><base href="javascript:ran()//">',
]

let box: Box
let origin: StubOrigin
const html = { accept: 'text/html' }

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const status = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 200)
    response.setHeader('cache-control', request.url?.startsWith('/live') ? 'no-store' : 'max-age=60')
    response.statusCode = status
    response.setHeader('content-type', 'text/plain').setHeader('etag', '"1"').end(`origin ${status}`)
  })
  const dead = await freePort()
  const deny = { urlRegex: '^/denied', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' as const, id: 1 }
  const page = (status: number, content: string, intercept = false) => ({ status, content, intercept })
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({
        ...{ hosts: ['site.test'], origins: [{ port: origin.port }] },
        firewall: {
          denyRules: [deny],
          bodyRules: [
            {
              ...{ id: 2, urlRegex: '^/form', methods: ['POST'], contains: 'evil' },
              oversize: 'block',
              mode: 'enforce',
            },
          ],
        },
        errorPages: [
          [
            page(903, '<p>own 903 {{status}} {{ host }} {{reference}} {{other}}'),
            page(500, '<p>own 500', true),
            page(502, '<p>own 502'),
          ],
          [page(903, 'operator 903'), page(403, '<p>operator 403'), page(504, '<p>operator 504', true)],
        ],
      }),
      disk.site({
        ...{ site: 2, hosts: ['dead.test'], origins: [{ port: dead }] },
        errorPages: [[page(502, '<p>not there: {{host}} {{status}}')]],
      }),
      disk.site({
        ...{ site: 3, hosts: ['scripts.test'], origins: [{ port: origin.port }], firewall: { denyRules: [deny] } },
        errorPages: [[page(903, `<h1>Denied</h1>${corpus.join('\n')}`)]],
      }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (path: string, headers: Record<string, string> = html, more = {}, host = 'site.test') =>
  ask(box, '1.1', host, { path, headers, ...more })

test.each(versions)('a refusal shows the page for its cause, or else for its status, over HTTP/%s', async (version) => {
  const denied = await ask(box, version, 'site.test', { path: '/denied', headers: html })
  expect(denied.status).toBe(403)
  expect(denied.body.toString()).toMatch(/^<p>own 903 403 site\.test [\w-]{40,} \{\{other\}\}$/)
  expect(header(denied, 'content-security-policy')).toMatch(/^sandbox allow-popups; default-src 'none'/)
  expect(header(denied, 'cache-control')).toBe('no-store')
  const form = await ask(box, version, 'site.test', { path: '/form', method: 'POST', body: 'evil', headers: html })
  expect([form.status, form.body.toString()]).toEqual([403, '<p>operator 403'])
})

test('a client that accepts JSON gets JSON, and HEAD gets no body', async () => {
  const json = await get('/denied', { accept: 'application/json' })
  expect([json.status, header(json, 'content-type')]).toEqual([403, 'application/problem+json'])
  const head = await get('/denied', html, { method: 'HEAD' })
  expect([head.status, head.body.length]).toEqual([403, 0])
})

test.each([
  ['/live/500', 500, '<p>own 500'],
  ['/kept/500', 500, '<p>own 500'],
  ['/live/504', 504, '<p>operator 504'],
  ['/kept/504', 504, '<p>operator 504'],
  ['/live/502', 502, 'origin 502'],
  ['/kept/502', 502, 'origin 502'],
  ['/live/503', 503, 'origin 503'],
  ['/live/404', 404, 'origin 404'],
])('an origin’s error page is replaced if so configured: %s', async (path, status, text) => {
  for (const again of [1, 2]) {
    const answer = await get(path)
    expect([again, answer.status, answer.body.toString()]).toEqual([again, status, text])
    if (text.startsWith('<p>')) expect(header(answer, 'etag')).toBeUndefined()
  }
  const json = await get(path, { accept: 'application/json' })
  expect([json.status, json.body.toString()]).toEqual([status, `origin ${status}`])
})

test('an unreachable origin gets a custom page, too', async () => {
  const answer = await get('/', html, {}, 'dead.test')
  expect([answer.status, answer.body.toString()]).toEqual([502, '<p>not there: dead.test 502'])
})

test('no script of a page runs, and nothing is requested from the site', () =>
  withPage(async (page) => {
    const ran: string[] = []
    await page.exposeFunction('ran', () => ran.push('ran'))
    page.on('dialog', (dialog) => ran.push(dialog.message()))
    const answer = await page.goto(`http://scripts.test:${box.settings.httpPort}/denied`)
    expect(answer?.status()).toBe(403)
    expect(await page.getByRole('heading', { name: 'Denied' }).isVisible()).toBe(true)
    await page.getByText('x', { exact: true }).first().click({ force: true, noWaitAfter: true })
    await page.waitForLoadState('networkidle')
    expect(ran).toEqual([])
    expect(origin.asked.filter(({ url }) => url.startsWith('/ran'))).toEqual([])
  }))
