/** What the first step of a sign-in leaves for the second. In memory only: a reload begins again (rules B8). */
export type PendingSignIn = { account: string; password: string; onePassKey: string; login2FAType: number }

let pending: PendingSignIn | undefined

export const pendingSignIn = {
  get: (): PendingSignIn | undefined => pending,
  set: (value: PendingSignIn | undefined): void => {
    pending = value
  },
}
