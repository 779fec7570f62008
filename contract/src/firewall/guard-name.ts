/** The names of guards in files that the server writes; the console uses the same words in its log. */
import { words as en_US } from '../guard-words/en_US.ts'
import { words as zh_CN } from '../guard-words/zh_CN.ts'
import { words as zh_TW } from '../guard-words/zh_TW.ts'
import type { Locale, Title } from '../phrases.ts'
import { firewallKinds } from './kinds.ts'

const words: Record<Locale, Readonly<Record<string, string>>> = { zh_TW, zh_CN, en_US }
const others = { authRules: { title: { zh_TW: '訪客驗證', zh_CN: '访客认证', en_US: 'Authentication' } } }
const titles: Readonly<Record<string, { title: Title }>> = { ...firewallKinds, ...others }

/** The guard itself if it has no name, as with guards of older or newer nodes. */
export const guardName = (guard: string, locale: Locale): string =>
  titles[guard]?.title[locale] ?? words[locale][`guard.${guard}`] ?? guard
