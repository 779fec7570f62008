/** What the first step of a sign-in leaves for the second. In memory only: a reload begins again. */
import type { signIn } from '@breakwater/contract/auth/sign-in.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'

export type PendingSignIn = {
  account: string
  password: string
  onePassKey: string
  login2FAType: number
  /** Every second step that the account has. */
  methods: number[]
  /** Where a code was mailed, half hidden. */
  sentTo: string
  /** What the authenticator is to be asked. */
  passkey: Reply<typeof signIn.code>['passkey']
}

let pending: PendingSignIn | undefined

export const pendingSignIn = {
  get: (): PendingSignIn | undefined => pending,
  set: (value: PendingSignIn | undefined): void => {
    pending = value
  },
}
