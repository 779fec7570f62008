/// <reference lib="dom" />
/**
 * One table of invalid input, tried in the form and in the call behind it: both name the same field, with the same
 * reason.
 */

import { generateKeyPairSync } from 'node:crypto'
import type { Tier } from '@breakwater/contract/tiers.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, signIn as signInByApi } from '../harness/api.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openTenant } from '../harness/tenant.ts'
import { openBrowser, person, signIn } from './browser.ts'

/** The validation keys of the specification and our own, as the English console shows them. */
const words = {
  required: 'Required',
  wrongFormat: 'Wrong format',
  emailError: 'Not a valid e-mail address',
  passwordNotMatch: 'The two passwords differ',
  passwordTooShort: 'At least 8 characters',
  passwordTooWeak: 'At least one letter and one digit',
  charactersExceedLimit: 'Too long',
  invalid_format: 'Not a valid domain name',
  invalid_tld: 'Invalid top-level domain',
  invalid_sld_length: 'The second-level name must have',
  invalid_sld_underscore: 'The second-level name cannot have an underscore',
  privateOrigin: 'In a private network',
  badCertificate: 'Not a certificate in PEM',
  keyInCertificate: 'This is a private key',
  regexSyntax: 'Invalid regular expression',
  regexTooComplex: 'This expression could be slow',
  unknownGroup: 'The expression has no such capture group',
  redirectLoop: 'These redirects form a loop',
}
type Reason = keyof typeof words

type Case = {
  /**
   * Path below the console, with the drawer open. `:site` and `:module` stand for the customer's site and redirect
   * module, also in the call.
   */
  page: string
  /** The button that opens the form, if the URL does not. */
  opener?: string
  /** What else the form needs to be valid, by labels. */
  beside?: Record<string, string>
  tier: Tier
  /** The call that the form makes, and what else it needs to be valid. */
  call: readonly [method: string, path: string, body: Record<string, unknown>]
  /**
   * The label of the input, the field of the call that it fills, and the body of the call if it is not simply that
   * field.
   */
  label: string
  field: string
  body?: (value: unknown) => object
  /** Each invalid text, the reason, and its value in the call if that differs from the text. */
  wrong: readonly (readonly [text: string, reason: Reason, value?: unknown])[]
  submit: string
}

const long = (count: number) => 'x'.repeat(count)
const invite = { auth: 'user', name: 'Ann', email: 'ann@example.com', account: 'ann', locale: 'en_US' }
const mail = { enable: true, host: 'smtp.example', port: 587, account: '', from: 'a@example.com', encryption: 'tls' }
const notify = { locale: 'en_US', tg: '', webhook: '', events: {} }
const ofMail = {
  page: 'systemManagement/systemSetting',
  tier: 'client',
  submit: 'Save',
  call: ['PUT', '/client/setting/email', mail],
} as const
const ofInvite = {
  page: 'userManagement/users?edit=new',
  tier: 'client',
  submit: 'Send invitation',
  call: ['POST', '/client/account', invite],
} as const
const ofNotify = {
  page: 'systemManagement/notifySetting',
  tier: 'user',
  submit: 'Save',
  call: ['PUT', '/user/setting/notify', notify],
} as const
const password = { oldPassword: 'correct-horse-7', password: 'another-horse-8', confirmPassword: 'another-horse-8' }
const ofPassword = { page: 'changePassword', tier: 'user', call: ['PATCH', '/user/password', password] } as const

const cases: Case[] = [
  {
    ...ofInvite,
    label: 'Name',
    field: 'name',
    wrong: [
      ['', 'required'],
      [long(257), 'charactersExceedLimit'],
    ],
  },
  {
    ...ofInvite,
    label: 'E-mail',
    field: 'email',
    wrong: [
      ['', 'required'],
      ['no address', 'emailError'],
      ['a@b', 'emailError'],
    ],
  },
  {
    ...ofInvite,
    label: 'Account',
    field: 'account',
    wrong: [
      ['', 'required'],
      ['a b', 'wrongFormat'],
      ['under_score', 'wrongFormat'],
      [long(65), 'charactersExceedLimit'],
    ],
  },
  {
    page: 'userManagement/roles?edit=new',
    tier: 'user',
    call: ['POST', '/user/roles', { name: 'r', permissions: [], memo: '' }],
    label: 'Name',
    field: 'name',
    wrong: [
      ['', 'required'],
      ['   ', 'required'],
      [long(257), 'charactersExceedLimit'],
    ],
    submit: 'Save',
  },
  {
    page: 'userManagement/apiTokenSetting?edit=new',
    tier: 'user',
    call: ['POST', '/apiToken', { name: 't' }],
    label: 'Name',
    field: 'name',
    wrong: [
      ['', 'required'],
      [long(257), 'charactersExceedLimit'],
    ],
    submit: 'Create token',
  },
  {
    ...ofMail,
    label: 'Server',
    field: 'host',
    wrong: [
      ['', 'required'],
      ['two words', 'wrongFormat'],
      [long(254), 'charactersExceedLimit'],
    ],
  },
  {
    ...ofMail,
    label: 'Port',
    field: 'port',
    wrong: [
      ['0', 'wrongFormat', 0],
      ['65536', 'wrongFormat', 65536],
    ],
  },
  {
    ...ofMail,
    label: 'Sender',
    field: 'from',
    wrong: [
      ['', 'required'],
      ['no address', 'emailError'],
    ],
  },
  { ...ofNotify, label: 'Telegram chat id', field: 'tg', wrong: [['twelve', 'wrongFormat']] },
  {
    ...ofNotify,
    label: 'Webhook URL',
    field: 'webhook',
    wrong: [
      ['ftp://example.com', 'wrongFormat'],
      ['nonsense', 'wrongFormat'],
    ],
  },
  {
    ...ofPassword,
    label: 'New password',
    field: 'password',
    wrong: [
      ['short1', 'passwordTooShort'],
      ['nodigitshere', 'passwordTooWeak'],
      ['12345678', 'passwordTooWeak'],
      ['with space 1', 'wrongFormat'],
      ['', 'required'],
    ],
    submit: 'Change password',
  },
  {
    ...ofPassword,
    label: 'Repeat the new password',
    field: 'confirmPassword',
    wrong: [['something-else-9', 'passwordNotMatch']],
    submit: 'Change password',
  },
  {
    page: 'licenses?edit=new',
    tier: 'admin',
    call: ['POST', '/admin/license', { userID: 0, name: 'l', expiredAt: '2999-01-01T00:00:00Z' }],
    label: 'Name',
    field: 'name',
    wrong: [
      ['', 'required'],
      [long(257), 'charactersExceedLimit'],
    ],
    submit: 'Save',
  },
]

const ofDomain = {
  page: 'sitesManagement/sitesSetting/:site/wrong?tab=domains&edit=new',
  tier: 'user',
  submit: 'Add domain',
  call: ['POST', '/user/site/:site/domains', {}],
} as const
const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const ofCertificate = {
  page: 'sitesManagement/sitesSetting/:site/wrong?tab=certificates&edit=new',
  tier: 'user',
  submit: 'Upload certificate',
  beside: { Name: 'c', 'Private key': privateKey },
  call: ['POST', '/user/site/:site/certificate', { name: 'c', privateKey, certificate: 'c' }],
} as const
const ofRedirect = {
  page: 'sitesManagement/sitesSetting/:site/wrong?tab=urlRedirect&edit=:module',
  opener: 'Add redirect',
  tier: 'user',
  submit: 'Add redirect',
  call: ['POST', '/user/site/:site/module/urlRedirect/:module/rules', {}],
} as const
const redirect = { urlRegex: '^/a', target: '/b' }
const upstream = { ip: '198.41.0.4', port: 80 }

/** Settings of delivery. */
const delivery: Case[] = [
  {
    ...ofDomain,
    label: 'Domain',
    field: 'domains.0.name',
    body: (name) => ({ domains: [{ name, upstreams: [upstream] }] }),
    wrong: [
      ['', 'required'],
      ['a.*.b.com', 'invalid_format'],
      ['$host.com', 'invalid_format'],
      ['a..com', 'invalid_sld_length'],
      ['x_y.com', 'invalid_sld_underscore'],
      ['a.c', 'invalid_tld'],
    ],
  },
  {
    ...ofDomain,
    label: 'Origin',
    beside: { Domain: 'www.example.com' },
    field: 'domains.0.upstreams.0.ip',
    body: (ip) => ({ domains: [{ name: 'www.example.com', upstreams: [{ ...upstream, ip }] }] }),
    wrong: [
      ['169.254.169.254', 'privateOrigin'],
      ['http://[::ffff:a9fe:a9fe]', 'privateOrigin', '::ffff:a9fe:a9fe'],
      ['two words', 'wrongFormat'],
      ['host:80:80', 'wrongFormat'],
      ['fade:80:80', 'wrongFormat'],
      ['127.0.0.1.', 'wrongFormat'],
    ],
  },
  {
    ...ofDomain,
    label: 'Origin',
    field: 'domains.0.upstreams.0.port',
    body: (port) => ({ domains: [{ name: 'www.example.com', upstreams: [{ ...upstream, port }] }] }),
    wrong: [
      ['198.41.0.4:0', 'wrongFormat', 0],
      ['198.41.0.4:65536', 'wrongFormat', 65_536],
    ],
  },
  {
    ...ofCertificate,
    label: 'Certificate',
    field: 'certificate',
    wrong: [
      ['', 'required'],
      ['no PEM', 'badCertificate'],
      ['-----BEGIN PRIVATE KEY-----', 'keyInCertificate'],
    ],
  },
]

/** The fields of a redirect: the form names each as the call does. */
const redirects: Case[] = [
  {
    ...ofRedirect,
    label: 'Path',
    beside: { 'Redirect to': '/b' },
    field: 'items.0.urlRegex',
    body: (urlRegex) => ({ items: [{ ...redirect, urlRegex }] }),
    wrong: [
      ['', 'required'],
      ['(', 'regexSyntax'],
      ['^/(a+)+$', 'regexTooComplex'],
    ],
  },
  {
    ...ofRedirect,
    label: 'Redirect to',
    beside: { Path: '^/a' },
    field: 'items.0.target',
    body: (target) => ({ items: [{ ...redirect, target }] }),
    wrong: [
      ['', 'required'],
      ['//evil.example', 'wrongFormat'],
      ['/$request_uri', 'wrongFormat'],
      ['/$1', 'unknownGroup'],
      ['/a', 'redirectLoop'],
    ],
  },
]

let product: SharedProduct
let browser: Browser
const pages: Partial<Record<Tier, Page>> = {}
const apis: Partial<Record<Tier, Api>> = {}
let site: number
let module: number
const inSite = (text: string) => text.replace(':site', String(site)).replace(':module', String(module))

beforeAll(async () => {
  ;[product, browser] = await Promise.all([openTenant('bad-input'), openBrowser()])
  const accounts = {
    user: product.accounts.customer,
    client: product.accounts.operator,
    admin: product.accounts.vendor,
  }
  for (const tier of ['user', 'client', 'admin'] as const) {
    const page = await person(browser)
    await signIn(page, product, tier)
    pages[tier] = page
    apis[tier] = await signInByApi(product.url, tier, accounts[tier], product.accounts.password)
  }
  site = (await apis.user!.call('POST', '/user/site', { siteName: 'wrong' })).body.data.siteID
  const modules = { modules: [{ name: 'moved' }] }
  module = (await apis.user!.call('POST', `/user/site/${site}/module/urlRedirects`, modules)).body.data.ids[0]
})
afterAll(async () => {
  await browser?.close()
})

/** What a field reports: whether it is invalid, and why, as a screen reader announces it. */
async function saidAt(page: Page, label: string): Promise<{ invalid: string | null; words: string }> {
  const input = page.getByLabel(label, { exact: true }).first()
  const ids = ((await input.getAttribute('aria-describedby')) ?? '').split(' ').filter(Boolean)
  const said: string[] = []
  for (const id of ids) said.push((await page.locator(`[id="${id}"]`).textContent()) ?? '')
  return { invalid: await input.getAttribute('aria-invalid'), words: said.join(' ') }
}

test.each([...cases, ...delivery, ...redirects])(
  '$tier $page: $label names what is wrong with it as the call does',
  async (one) => {
    const page = pages[one.tier]!
    await page.goto(`${product.url}/${one.tier}/${inSite(one.page)}`)
    if (one.opener) await page.getByRole('button', { name: one.opener, exact: true }).first().click()
    for (const [label, text] of Object.entries(one.beside ?? {}))
      await page.getByLabel(label, { exact: true }).first().fill(text)
    const input = page.getByLabel(one.label, { exact: true }).first()
    for (const [text, reason, value] of one.wrong) {
      // A field that was typed into and cleared counts as empty in the form; one that was never touched does not yet.
      await input.fill('x')
      await input.fill(text)
      await page.getByRole('button', { name: one.submit, exact: true }).first().click()
      await expect
        .poll(() => saidAt(page, one.label))
        .toEqual({
          invalid: 'true',
          words: expect.stringContaining(words[reason]),
        })
      const [method, path, right] = one.call
      const sent = one.body?.(value ?? text) ?? { ...right, [one.field]: value ?? text }
      const reply = await apis[one.tier]!.call(method, inSite(path), sent)
      const where = expect.arrayContaining([expect.objectContaining({ field: one.field, reason })])
      expect([text.slice(0, 20), reply.status, reply.body.extra]).toEqual([text.slice(0, 20), 400, where])
    }
  },
)
