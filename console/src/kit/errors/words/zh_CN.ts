import { words } from '@breakwater/contract/error-words/zh_CN.ts'
import type { Phrases } from '../../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = words satisfies Phrases<typeof source>
