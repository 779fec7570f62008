import { randomBytes } from 'node:crypto'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let operator: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.signIn('client', 'operator')
})
afterAll(() => server.stop())
afterEach(() => server.services.database.pool.query('delete from brands; delete from brand_images'))

type Values = Record<string, string | File>

/** Sends a form as a browser does, and returns the response. */
async function send(method: 'POST' | 'PUT', values: Values, as: TokenSet | undefined = operator) {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, value)
  const request = new Request('http://localhost/', { method, body: form })
  const reply = await server.app.inject({
    method,
    url: '/api/v1/client/setting/logo',
    headers: {
      'content-type': request.headers.get('content-type')!,
      ...(as ? { authorization: `Bearer ${as.accessToken}` } : {}),
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: reply.statusCode, body: reply.json() }
}

const png = (width: number, height: number, colour = '#2b5cd9') =>
  sharp({ create: { width, height, channels: 4, background: colour } })
    .png()
    .toBuffer()
const file = (bytes: Buffer | string, name = 'logo.png', type = 'image/png') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
const logoAt = async (host: string, tier = 'user') =>
  (await server.call('GET', `/${tier}/logo`, { headers: { host } })).body.data
const list = async () => (await server.call('GET', '/client/setting/logos', { as: operator })).body
const remove = (id: number) => server.call('DELETE', '/client/setting/logo', { as: operator, body: { id } })
const images = async () => (await server.services.database.pool.query('select hash from brand_images')).rows.length

async function made(values: Values): Promise<number> {
  const { status, body } = await send('POST', values)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data.id
}

describe('the sign-in page', () => {
  test('an installation without a brand shows the product’s own', async () => {
    for (const tier of ['user', 'client', 'admin'])
      expect(await logoAt('cdn.example.com', tier)).toMatchObject({
        title: 'Breakwater',
        copyright: `© ${new Date().getFullYear()} Breakwater`,
        version: '0.1.0',
        logo: '',
        favicon: '',
        palette: null,
      })
  })

  test('texts, colour and images are shown without a token, on the consoles they are for', async () => {
    const id = await made({
      title: 'Harbour CDN',
      subTitle: 'Calm water',
      accent: '#0B7A43',
      tiers: 'user',
      logo: file(await png(900, 300)),
    })
    const logo = await logoAt('cdn.example.com')
    expect(logo).toMatchObject({
      title: 'Harbour CDN',
      subTitle: 'Calm water',
      copyright: `© ${new Date().getFullYear()} Harbour CDN`,
      palette: { accent: '#0b7a43', accentBg: expect.stringMatching(/^#/), darkAccent: expect.stringMatching(/^#/) },
    })
    expect(logo.logo).toMatch(/^\/brand\/[0-9a-f]{64}$/)
    expect((await logoAt('cdn.example.com', 'client')).title).toBe('Breakwater')
    expect((await logoAt('cdn.example.com', 'admin')).title).toBe('Breakwater')

    const image = await server.app.inject({ url: logo.logo })
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png'])
    expect(image.headers['x-content-type-options']).toBe('nosniff')
    expect(image.headers['cache-control']).toContain('immutable')
    expect(image.headers['content-security-policy']).toContain('sandbox')
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ format: 'png', width: 512, height: 171 })
    await remove(id)
    expect((await server.app.inject({ url: logo.logo })).statusCode).toBe(404)
  })

  test('a host that a brand names shows that brand; any other host shows the brand without hosts', async () => {
    const everywhere = await made({ title: 'Everywhere' })
    const here = await made({ title: 'Here', hosts: 'CDN.example.com, panel.example.org' })
    expect((await logoAt('cdn.example.com:8443')).title).toBe('Here')
    expect((await logoAt('panel.example.org', 'client')).title).toBe('Here')
    expect((await logoAt('elsewhere.example')).title).toBe('Everywhere')
    expect((await list()).data.map(({ title }: { title: string }) => title)).toEqual(['Here', 'Everywhere'])
    for (const [values, field] of [
      [{ hosts: 'new.example, panel.example.org' }, 'hosts.1'],
      [{ tiers: 'client' }, 'hosts'],
    ] as const) {
      const { status, body } = await send('POST', values)
      expect([status, body.extra]).toEqual([409, [{ field, reason: 'brandTaken' }]])
    }
    await remove(everywhere)
    await remove(here)
  })

  test('another operator is recognized by its hosts only, and cannot take those of others', async () => {
    const mine = await made({ hosts: 'mine.example' })
    const { rows } = await server.services.database.pool.query(
      "insert into tenants (kind, name) values ('operator', 'other') returning id",
    )
    await server.services.database.pool.query(
      `insert into brands (tenant_id, tiers, texts) values ($1, '{user,client}', '{"title":"Foreign"}')`,
      [rows[0].id],
    )
    expect((await logoAt('whatever.example')).title).toBe('Breakwater')
    expect((await list()).total).toBe(1)
    const foreign = (
      await server.services.database.pool.query('select id from brands where tenant_id = $1', [rows[0].id])
    ).rows[0].id
    expect((await remove(foreign)).status).toBe(403)
    await server.services.database.pool.query(`update brands set hosts = '{theirs.example}' where id = $1`, [foreign])
    expect((await send('POST', { hosts: 'theirs.example' })).body.extra).toEqual([
      { field: 'hosts.0', reason: 'brandTaken' },
    ])
    await server.services.database.pool.query('delete from brands where id = $1', [foreign])
    await remove(mine)
  })
})

describe('updating', () => {
  test('an image that is not sent is kept, an empty one is removed, and unused images are deleted', async () => {
    const id = await made({ logo: file(await png(20, 20)), favicon: file(await png(30, 30)) })
    const before = await logoAt('x.example')
    expect(await images()).toBe(2)
    const { status } = await send('PUT', {
      id: String(id),
      title: 'New',
      favicon: '',
      sidebarLogo: file(await png(9, 9)),
    })
    expect(status).toBe(200)
    const after = await logoAt('x.example')
    expect(after).toMatchObject({ title: 'New', logo: before.logo, favicon: '' })
    expect(after.sidebarLogo).not.toBe('')
    expect(await images()).toBe(2)
    expect((await remove(id)).status).toBe(200)
    expect(await images()).toBe(0)
    const { rows } = await server.services.database.pool.query(
      "select action, detail from audit where action like 'client.logo.%' order by id desc limit 2",
    )
    expect(rows[1]).toMatchObject({ action: 'client.logo.update', detail: { id, after: { title: 'New' } } })
    expect((await remove(id)).status).toBe(403)
    expect((await send('PUT', { id: String(id) })).status).toBe(403)
  })

  test('a file field left empty in a browser is sent as an empty file, and changes nothing', async () => {
    const id = await made({ logo: file(await png(20, 20)) })
    const { logo } = await logoAt('x.example')
    expect((await send('PUT', { id: String(id), logo: new File([], '') })).status).toBe(200)
    expect((await logoAt('x.example')).logo).toBe(logo)
    await remove(id)
  })
})

describe('rejected images', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const cases: [string, () => Promise<File> | File, string][] = [
    ['SVG', () => file(svg, 'logo.svg', 'image/svg+xml'), 'imageSvg'],
    ['SVG that calls itself PNG', () => file(svg), 'imageSvg'],
    ['a text', () => file('hello'), 'imageFormat'],
    ['an icon file', () => file(Buffer.from('00000100010010100000', 'hex'), 'favicon.ico'), 'imageFormat'],
    ['half a picture', async () => file((await png(600, 600)).subarray(0, 200)), 'imageBroken'],
    [
      'a signature with noise',
      () => file(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(500)])),
      'imageBroken',
    ],
    ['more bytes than a mebibyte', () => file(randomBytes(1_048_577)), 'imageTooLarge'],
    ['a small file of very many pixels', async () => file(await png(6000, 6000)), 'imagePixels'],
  ]
  test.each(cases)('%s is reported at its field, and nothing is stored', async (_name, make, reason) => {
    const { status, body } = await send('POST', { title: 'No', favicon: await make() })
    expect([status, body.extra]).toEqual([400, [{ field: 'favicon', reason }]])
    expect((await list()).total).toBe(0)
    expect(await images()).toBe(0)
  })

  test('data appended to an image is not served', async () => {
    const bytes = Buffer.concat([await png(20, 20), Buffer.from('<script>alert(1)</script>')])
    const id = await made({ logo: file(bytes) })
    const { rawPayload } = await server.app.inject({ url: (await logoAt('x.example')).logo })
    expect(rawPayload.includes('script')).toBe(false)
    await remove(id)
  })

  test.each(['jpeg', 'webp', 'gif'] as const)('%s is accepted, and a background is served as WebP', async (format) => {
    const bytes = await sharp(await png(64, 64))
      .toFormat(format)
      .toBuffer()
    const id = await made({ backgroundImage: file(bytes, 'x', 'application/octet-stream') })
    const { headers } = await server.app.inject({ url: (await logoAt('x.example')).backgroundImage })
    expect(headers['content-type']).toBe('image/webp')
    await remove(id)
  })
})

describe('rejected texts and colours', () => {
  const cases: [Values, string, string][] = [
    [{ accent: '#ffcc00' }, 'accent', 'contrast'],
    [{ accent: 'red;}' }, 'accent', 'colour'],
    [{ title: 'x'.repeat(257) }, 'title', 'charactersExceedLimit'],
    [{ title: 'a\u0000b' }, 'title', 'wrongFormat'],
    [{ tiers: 'admin' }, 'tiers.0', 'wrongFormat'],
    [{ tiers: '' }, 'tiers', 'required'],
    [{ hosts: 'a.example, not a host' }, 'hosts.1', 'wrongFormat'],
    [{ surprise: '1' }, 'surprise', 'unknownField'],
    [{ logo: 'https://example.com/logo.png' }, 'logo', 'imageFormat'],
  ]
  test.each(cases)('%j', async (values, field, reason) => {
    const { status, body } = await send('POST', values)
    expect([status, body.extra]).toEqual([400, [{ field, reason }]])
  })

  test('form data is not accepted by other calls, and a token is required', async () => {
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/v1/client/roles',
      headers: { authorization: `Bearer ${operator.accessToken}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nx\r\n--x--\r\n',
    })
    expect([reply.statusCode, reply.json().code]).toEqual([415, 101003])
    const bare = await server.app.inject({ method: 'POST', url: '/api/v1/client/setting/logo' })
    expect(bare.json().code).toBe(101013)
    const broken = await server.app.inject({
      method: 'POST',
      url: '/api/v1/client/setting/logo',
      headers: { authorization: `Bearer ${operator.accessToken}`, 'content-type': 'multipart/form-data' },
      payload: 'no form',
    })
    expect([broken.statusCode, broken.json().code]).toEqual([400, 101003])
  })
})
