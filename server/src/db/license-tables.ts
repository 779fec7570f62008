/** The rows of licences: what the vendor issues, and what operators booked and installed. */
import type { LicenseLimits } from '@breakwater/contract/licenses/document.ts'
import type { Generated } from 'kysely'
import type { Json, Moment, NullableMoment } from './columns.ts'

export type LicenseTables = {
  licenses: {
    id: Generated<number>
    tenantId: number
    kind: 'online' | 'offline'
    userId: number | null
    name: string
    type: 'standard' | 'trial' | 'support'
    limits: Json<LicenseLimits>
    expiresAt: Moment
    installation: string | null
    serial: Generated<string>
    key: string | null
    createdAt: Moment
    issuedAt: NullableMoment
    registeredAt: NullableMoment
    revokedAt: NullableMoment
  }
  licenseOrders: { userId: number; tenantId: number; setting: Json<object>; updatedAt: Moment }
  installedLicenses: {
    operatorId: number
    key: string
    installedAt: Moment
    checkedAt: NullableMoment
    seenAt: Moment
    monthBytes: Generated<number>
  }
}
