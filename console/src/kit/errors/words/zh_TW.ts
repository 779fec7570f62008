import { words } from '@breakwater/contract/error-words/zh_TW.ts'

/** The error catalogue in words, as the server has it. The English ones are the specification's. */
export const phrases = words

declare module '../../../platform/phrases.ts' {
  interface Areas {
    errors: typeof phrases
  }
}
