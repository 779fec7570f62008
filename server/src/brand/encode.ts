/**
 * Uploaded images. The uploaded bytes are never served: one of four decoders decodes them within limits, and the result
 * is encoded again, which drops whatever else the file contains. SVG can contain scripts and is refused.
 */
import { createHash } from 'node:crypto'
import type { BrandImage } from '@breakwater/contract/brand/brand.ts'
import { fieldFault } from '../http/fault.ts'

/** The most pixels that are decoded: 24 million take 96 MB of memory. */
const pixelsMax = 24_000_000
const secondsMax = 10

/** The maximum size of each image in pixels, at twice the size at which it is shown. */
const boxes: Record<BrandImage, readonly [number, number]> = {
  logo: [512, 512],
  sidebarLogo: [640, 160],
  sidebarSimpleLogo: [256, 256],
  favicon: [256, 256],
  backgroundImage: [2560, 1600],
}

export type Encoded = { hash: string; type: 'image/png' | 'image/webp'; bytes: Buffer }

/** The kind of file by its first bytes. The name and the declared type are not trusted. */
function kindOf(bytes: Buffer): 'picture' | 'svg' | 'other' {
  const starts = (hex: string, at = 0) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex
  const isWebp = starts('52494646') && starts('57454250', 8)
  if (starts('89504e470d0a1a0a') || starts('ffd8ff') || starts('47494638') || isWebp) return 'picture'
  return /<(svg|\?xml|!doctype)/i.test(bytes.subarray(0, 1024).toString('latin1')) ? 'svg' : 'other'
}

/** The decoder, with all formats but four disabled. */
async function openDecoder() {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadNsgifBuffer',
    ],
  })
  return sharp
}
/** Loaded with the first image. */
let decoder: ReturnType<typeof openDecoder> | undefined

/** Decodes and re-encodes an image. Throws a fault at its field with a reason that a person can act on. */
export async function encodeImage(field: BrandImage, file: File): Promise<Encoded> {
  const bytes = Buffer.from(await file.arrayBuffer())
  const kind = kindOf(bytes)
  if (kind !== 'picture') throw fieldFault(field, kind === 'svg' ? 'imageSvg' : 'imageFormat')
  decoder ??= openDecoder()
  const sharp = await decoder
  const [width, height] = boxes[field]
  const isPhoto = field === 'backgroundImage'
  try {
    const picture = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
      .timeout({ seconds: secondsMax })
      .autoOrient()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    // Mails show the logo too, and some mail clients only support PNG.
    const encoded = await (isPhoto ? picture.webp({ quality: 80 }) : picture.png({ compressionLevel: 9 })).toBuffer()
    const hash = createHash('sha256').update(encoded).digest('hex')
    return { hash, type: isPhoto ? 'image/webp' : 'image/png', bytes: encoded }
  } catch (error) {
    const isLarge = error instanceof Error && /pixel limit/i.test(error.message)
    throw fieldFault(field, isLarge ? 'imagePixels' : 'imageBroken')
  }
}
