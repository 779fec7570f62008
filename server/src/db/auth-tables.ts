/** The rows of everything about sign-in beyond the password. Maintained by hand to match the migrations. */
import type { Generated, GeneratedAlways } from 'kysely'
import type { Moment, NullableMoment } from './columns.ts'

export type AuthTables = {
  totpSecrets: { accountId: number; sealed: Buffer; lastStep: Generated<number>; createdAt: Moment }
  recoveryCodes: { accountId: number; codeHash: Buffer; usedAt: NullableMoment }
  passkeys: {
    id: GeneratedAlways<number>
    accountId: number
    name: string
    credentialId: string
    publicKey: Buffer
    counter: number
    transports: string[]
    createdAt: Moment
    lastUsedAt: NullableMoment
  }
  onePassKeys: {
    keyHash: Buffer
    accountId: number
    purpose: string
    type: number
    codeHash: Buffer | null
    sealed: Buffer | null
    tries: Generated<number>
    expiresAt: Moment
  }
  signInPolicies: {
    tenantId: number
    verifyEnabled: Generated<boolean>
    verifyOffType: Generated<number>
    cidrs: Generated<string[]>
    mailTested: Generated<boolean>
  }
  ssoProviders: {
    id: GeneratedAlways<number>
    tenantId: number
    tier: 'user' | 'client' | 'admin'
    enabled: boolean
    name: string
    issuer: string
    clientId: string
    secret: Buffer | null
    matchesEmail: boolean
    createsAccounts: boolean
  }
  ssoLinks: { providerId: number; subject: string; accountId: number }
  ssoAttempts: { stateHash: Buffer; providerId: number; bindingHash: Buffer; sealed: Buffer; expiresAt: Moment }
}
