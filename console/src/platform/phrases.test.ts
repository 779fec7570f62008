/**
 * Checks what the compiler cannot see in the phrases: placeholders, plurals, and Chinese texts that are not Chinese.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@breakwater/contract/errors.ts'
import { fill } from '@breakwater/contract/phrases.ts'
import { describe, expect, test } from 'vitest'

type Texts = Record<string, string>
const source = join(import.meta.dirname, '..')
/** The folders with an area's texts. */
const areas = globSync('**/words', { cwd: source })
const load = async (area: string, locale: string): Promise<Texts> =>
  ((await import(join(source, area, `${locale}.ts`))) as { phrases: Texts }).phrases
const placesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

/** Texts that are the same in every language: names, protocols, units. */
const sameEverywhere =
  /^[\s\d\W]*$|CPU|MB|HTTP|CNAME|nginx|OpenSSL|Ctrl|\{n\} \/ \{max\}|\{watermark\}|\{node\}|^\{name\} · \{hash\}$|^Telegram$|^Webhook$|^User-Agent$|^HMAC-SHA256$|^HTML$|^ECDSA|^RSA|^WebSocket$|^DNS$|^gRPC$|^TLS$|^ZeroSSL$|^Cloudflare$|^Nginx Proxy Manager$|^CSV$|^Google Trust Services$|^QPS$|^\{(field|name)\}：/

describe.each(areas)('%s', (area) => {
  test('a phrase has the same placeholders in all three languages', async () => {
    const [tw, cn, en] = await Promise.all(['zh_TW', 'zh_CN', 'en_US'].map((locale) => load(area, locale)))
    for (const [key, text] of Object.entries(tw!)) {
      const [one, other] = en![key]!.split('|')
      expect([key, placesOf(cn![key]!)]).toEqual([key, placesOf(text)])
      expect([key, placesOf(other ?? one!)]).toEqual([key, placesOf(text)])
    }
  })

  test('Chinese texts are Chinese, and the two variants are not mixed up', async () => {
    const [tw, cn] = await Promise.all([load(area, 'zh_TW'), load(area, 'zh_CN')])
    for (const [key, text] of [...Object.entries(tw), ...Object.entries(cn)]) {
      if (!sameEverywhere.test(text)) expect([key, /\p{Script=Han}/u.test(text)]).toEqual([key, true])
    }
    // Terms that an automatic conversion gets wrong.
    for (const [key, text] of Object.entries(tw))
      expect([key, /带宽|(?<![區網])域名|缓存|登录|默认|证书|(?<!來)源站|服务|设置|日志/.test(text)]).toEqual([
        key,
        false,
      ])
    for (const [key, text] of Object.entries(cn))
      expect([key, /網域|頻寬|登入|預設|快取|憑證|來源站|伺服器|日誌|設定/.test(text)]).toEqual([key, false])
  })
})

test('English error texts are the catalogue’s', async () => {
  const texts = await load('kit/errors/words', 'en_US')
  expect(texts).toEqual(Object.fromEntries(Object.entries(errors).map(([name, { message }]) => [name, message])))
})

test('n selects the plural, and numbers are formatted for the language', () => {
  expect(fill('{n} rule|{n} rules', 'en_US', { n: 1 })).toBe('1 rule')
  expect(fill('{n} rule|{n} rules', 'en_US', { n: 1234 })).toBe('1,234 rules')
  expect(fill('{n} 條規則', 'zh_TW', { n: 2 })).toBe('2 條規則')
})
