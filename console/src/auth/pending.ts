/** What the first step of a sign-in leaves for the second. Kept in memory only: a reload starts over. */
import type { signIn } from '@breakwater/contract/auth/sign-in.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'

export type PendingSignIn = {
  account: string
  password: string
  onePassKey: string
  login2FAType: number
  /** All second-step methods of the account. */
  methods: number[]
  /** The address that a code was mailed to, partly masked. */
  sentTo: string
  /** The options to pass to the authenticator. */
  passkey: Reply<typeof signIn.code>['passkey']
}

let pending: PendingSignIn | undefined

export const pendingSignIn = {
  get: (): PendingSignIn | undefined => pending,
  set: (value: PendingSignIn | undefined): void => {
    pending = value
  },
}
