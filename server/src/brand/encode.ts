/**
 * Pictures of strangers. Nothing that was uploaded is ever served: it is decoded within bounds by one of four decoders
 * and encoded again, which drops whatever else a file may carry. SVG is a program, and refused.
 */
import { createHash } from 'node:crypto'
import type { BrandImage } from '@breakwater/contract/brand/brand.ts'
import { fieldFault } from '../http/fault.ts'

/** Pixels that are decoded at most: 24 million are 96 MB of memory. */
const pixelsMax = 24_000_000
const secondsMax = 10

/** The largest box of each picture, at twice the size at which it is shown. */
const boxes: Record<BrandImage, readonly [number, number]> = {
  logo: [512, 512],
  sidebarLogo: [640, 160],
  sidebarSimpleLogo: [256, 256],
  favicon: [256, 256],
  backgroundImage: [2560, 1600],
}

export type Encoded = { hash: string; type: 'image/png' | 'image/webp'; bytes: Buffer }

/** What the first bytes say. A file's name and announced type are only claims. */
function kindOf(bytes: Buffer): 'picture' | 'svg' | 'other' {
  const starts = (hex: string, at = 0) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex
  const isWebp = starts('52494646') && starts('57454250', 8)
  if (starts('89504e470d0a1a0a') || starts('ffd8ff') || starts('47494638') || isWebp) return 'picture'
  return /<(svg|\?xml|!doctype)/i.test(bytes.subarray(0, 1024).toString('latin1')) ? 'svg' : 'other'
}

/** The decoder, with every format but four switched off. */
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
/** Loaded when the first picture comes. */
let decoder: ReturnType<typeof openDecoder> | undefined

/** Decodes and encodes a picture. Throws a fault at its field with a reason that a person can act on. */
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
    // Letters show the logo too, and some readers of mail know PNG only.
    const encoded = await (isPhoto ? picture.webp({ quality: 80 }) : picture.png({ compressionLevel: 9 })).toBuffer()
    const hash = createHash('sha256').update(encoded).digest('hex')
    return { hash, type: isPhoto ? 'image/webp' : 'image/png', bytes: encoded }
  } catch (error) {
    const isLarge = error instanceof Error && /pixel limit/i.test(error.message)
    throw fieldFault(field, isLarge ? 'imagePixels' : 'imageBroken')
  }
}
