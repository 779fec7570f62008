/** The pictures of code and slider challenges, as text for a page. */
import * as ffi from 'ffi'
import { type Bitmap, type Bytes, bmpHead } from '../lib/bitmap.ts'
import { codePicture, makePictures, type PictureSize, sliderPicture } from '../lib/challenge-picture.ts'
import { fillRandom } from '../nginx/crypto.ts'

const drawnBytes = 512
const drawn = ffi.new(`uint8_t[${drawnBytes}]`) as unknown as Bytes
let used = drawnBytes

/** An unpredictable random number below `count`. */
function draw(this: void, count: number): number {
  if (used === drawnBytes) {
    fillRandom(drawn, drawnBytes)
    used = 0
  }
  used += 2
  return (drawn[used - 2]! * 256 + drawn[used - 1]!) % count
}

const pictures = makePictures(draw, (count) => ffi.new('uint8_t[?]', count) as unknown as Bytes)

const headOf = ({ rowBytes, rows }: PictureSize): string => bmpHead(rowBytes, rows)
const [codeHead, sliderHead] = [headOf(codePicture), headOf(sliderPicture)]

const encoded = (head: string, { bytes, rowBytes, rows }: Bitmap): string =>
  ngx.encode_base64(head + ffi.string(bytes as never, rowBytes * rows))

/** A BMP in base64 that shows a code's digits. */
export function codeImage(digits: string): string {
  return encoded(codeHead, pictures.code(digits))
}

/** A BMP in base64 with a ring where a slider's dot belongs, at `x,y`. */
export function sliderImage(answer: string): string {
  const [x, y] = answer.split(',')
  return encoded(sliderHead, pictures.slider(Number(x), Number(y)))
}
