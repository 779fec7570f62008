/** The rows of brands and announcements: what an operator shows to its customers. */
import type { AnnouncementLevel, AnnouncementText } from '@breakwater/contract/announcements/announcements.ts'
import type { BrandImage } from '@breakwater/contract/brand/brand.ts'
import type { Generated } from 'kysely'
import type { Json, Moment, NullableMoment } from './columns.ts'

export type BrandTexts = { title: string; subTitle: string; description: string; copyright: string; version: string }
/** The hash of each image that is set. */
export type BrandHashes = Partial<Record<BrandImage, string>>

export type AnnouncementTexts = Record<'zh_TW' | 'zh_CN' | 'en_US', AnnouncementText>

export type BrandTables = {
  brands: {
    id: Generated<number>
    tenantId: number
    tiers: string[]
    hosts: string[]
    texts: Json<BrandTexts>
    accent: string
    images: Json<BrandHashes>
    createdAt: Moment
  }
  announcements: {
    id: Generated<number>
    tenantId: number
    texts: Json<AnnouncementTexts>
    level: AnnouncementLevel
    ordinal: number
    running: boolean
    startTime: NullableMoment
    endTime: NullableMoment
    createdAt: Moment
  }
  announcementReads: { announcementId: number; tenantId: number; accountId: number; readAt: Moment }
  brandImages: { hash: string; tenantId: number; type: string; bytes: Buffer }
}
