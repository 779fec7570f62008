/** The operator's brands: names, images and colours of the sign-in page and the consoles. */

import { type BrandImage, brandImages, brandsMax, brands as calls } from '@breakwater/contract/brand/brand.ts'
import { paletteOf } from '@breakwater/contract/brand/colour.ts'
import type { BrandHashes, BrandTexts } from '../db/brand-tables.ts'
import type { Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { addressesOf, dropUnshownImages, findBrand, keepImages, lockBrands, takenHost } from './brands.store.ts'
import { type Encoded, encodeImage } from './encode.ts'
import { product, version as productVersion } from './title.ts'

type Form = BrandTexts & { accent: string; tiers: string[]; hosts: string[] } & {
  [Name in BrandImage]?: '' | File | undefined
}

const textsOf = ({ title, subTitle, description, copyright, version }: BrandTexts): BrandTexts => ({
  title,
  subTitle,
  description,
  copyright,
  version,
})

/** Encodes the images of a form. Returns them, and the hashes that the brand has then. */
async function imagesOf(form: Form, before: BrandHashes): Promise<{ hashes: BrandHashes; encoded: Encoded[] }> {
  const hashes = { ...before }
  const encoded: Encoded[] = []
  for (const name of brandImages) {
    const sent = form[name]
    if (sent === undefined) continue
    delete hashes[name]
    if (sent === '') continue
    const image = await encodeImage(name, sent)
    encoded.push(image)
    hashes[name] = image.hash
  }
  return { hashes, encoded }
}

async function requireFreeHosts(db: Database, caller: Caller, form: Form, id = 0): Promise<void> {
  const taken = await takenHost(db, { id, tenantId: caller.tenantId, tiers: form.tiers, hosts: form.hosts })
  if (taken !== undefined) throw fieldFault(taken < 0 ? 'hosts' : `hosts.${taken}`, 'brandTaken', 'duplicatedData')
}

/** Locks the brand until the transaction ends, so that concurrent changes run one after the other. */
async function requireBrand(db: Database, caller: Caller, id: number) {
  const row = await db
    .selectFrom('brands')
    .selectAll()
    .where('id', '=', id)
    .where('tenantId', '=', caller.tenantId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Fault('permissionDenied')
  return row
}

const rowOf = (form: Form, hashes: BrandHashes) => ({
  tiers: [...new Set(form.tiers)],
  hosts: [...new Set(form.hosts)],
  texts: JSON.stringify(textsOf(form)),
  accent: form.accent,
  images: JSON.stringify(hashes),
})

/** The details for the audit log: texts, colour, consoles, hosts, and image hashes. */
const noteOf = (
  brand: { tiers: string[]; hosts: string[]; accent: string },
  texts: BrandTexts,
  images: BrandHashes,
) => ({
  ...textsOf(texts),
  tiers: brand.tiers,
  hosts: brand.hosts,
  accent: brand.accent,
  images,
})

export function brandsFeature({ database }: Services): Feature {
  const { get, ...own } = calls
  return [
    ...implementPublic(
      { get },
      {
        async get({ tier, request }) {
          const brand =
            tier === 'admin' ? undefined : await findBrand(database.db, tier, request.hostname.toLowerCase())
          const texts = brand?.texts
          return {
            title: texts?.title || product,
            subTitle: texts?.subTitle ?? '',
            description: texts?.description ?? '',
            copyright: texts?.copyright || `© ${new Date().getFullYear()} ${texts?.title || product}`,
            version: texts?.version || productVersion,
            ...addressesOf(brand?.images ?? {}),
            palette: brand?.accent ? paletteOf(brand.accent) : null,
          }
        },
      },
    ),
    ...implement(own, {
      async list({ db, caller, query }) {
        const rows = await db
          .selectFrom('brands')
          .selectAll()
          .where('tenantId', '=', caller.tenantId)
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
          .$call(onePage(query))
          .execute()
        const data = rows.map(({ id, texts, images, accent, tiers, hosts, createdAt }) => ({
          id,
          ...texts,
          ...addressesOf(images),
          accent,
          tiers: tiers as ('user' | 'client')[],
          hosts,
          createdAt: createdAt.toISOString(),
        }))
        return { data, total: await countBrands(db, caller) }
      },

      async create({ db, caller, body, audit }) {
        const { hashes, encoded } = await imagesOf(body, {})
        await lockBrands(db)
        await requireFreeHosts(db, caller, body)
        if ((await countBrands(db, caller)) >= brandsMax) throw new Fault('itemsExceedLimit')
        await keepImages(db, caller.tenantId, encoded)
        audit.detail = { after: noteOf(body, body, hashes) }
        return db
          .insertInto('brands')
          .values({ ...rowOf(body, hashes), tenantId: caller.tenantId })
          .returning('id')
          .executeTakeFirstOrThrow()
      },

      async update({ db, caller, body, audit }) {
        const { id, ...form } = body
        await lockBrands(db)
        const before = await requireBrand(db, caller, id)
        await requireFreeHosts(db, caller, form, id)
        const { hashes, encoded } = await imagesOf(form, before.images)
        await keepImages(db, caller.tenantId, encoded)
        await db.updateTable('brands').set(rowOf(form, hashes)).where('id', '=', id).execute()
        await dropUnshownImages(db, caller.tenantId)
        audit.detail = { id, before: noteOf(before, before.texts, before.images), after: noteOf(form, form, hashes) }
      },

      async remove({ db, caller, body, audit }) {
        await lockBrands(db)
        const before = await requireBrand(db, caller, body.id)
        await db.deleteFrom('brands').where('id', '=', body.id).execute()
        await dropUnshownImages(db, caller.tenantId)
        audit.detail = { id: body.id, before: noteOf(before, before.texts, before.images) }
      },
    }),
  ]
}

async function countBrands(db: Database, caller: Caller): Promise<number> {
  return countOf(db.selectFrom('brands').where('tenantId', '=', caller.tenantId))
}
