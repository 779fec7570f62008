import { words } from '@breakwater/contract/error-words/zh_TW.ts'

/** The error catalogue in words, shared with the server. The English texts are those of the specification. */
export const phrases = words

declare module '../../../platform/phrases.ts' {
  interface Areas {
    errors: typeof phrases
  }
}
