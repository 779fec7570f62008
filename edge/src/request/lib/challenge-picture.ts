/**
 * The pictures of code and slider challenges. Digits and shapes are drawn distorted, in several variants each that are
 * regularly redrawn, and a picture is composed of some of them: cheap enough for floods. Wide bands invert black and
 * white, so that neither colour nor connected pixels distinguish a digit from its surroundings.
 */
import { type Bitmap, clear, emptyBitmap, invertBy, type MakeBytes, setDisc, setPoint, stamp } from './bitmap.ts'

/** Random integers from 0 to `count` − 1; `count` is at most 65,536. */
export type Draw = (this: void, count: number) => number

/** A code is shown in its own size, a slider's picture at twice its size, to match the size of its ring. */
export const codePicture = { rowBytes: 36, rows: 80 }
export const sliderPicture = { rowBytes: 20, rows: 100 }
export const sliderScale = 2

type Line = readonly (readonly [number, number])[]
type Form = { lines: readonly Line[]; isRound: boolean }

const linesOf = (text: string): Line[] =>
  text.split('|').map((line) =>
    line.split(' ').map((point) => {
      const [x, y] = point.split(',')
      return [Number(x) - 50, Number(y) - 75] as const
    }),
  )
const round = (text: string): Form => ({ lines: linesOf(text), isRound: true })
const edged = (text: string): Form => ({ lines: linesOf(text), isRound: false })

/** The strokes of the digits, in a box of 100 by 150. */
const digitForms: readonly (readonly Form[])[] = [
  [round('50,0 90,15 98,75 90,135 50,150 10,135 2,75 10,15 50,0')],
  [edged('20,35 55,0 55,150'), edged('20,35 55,0 55,150|22,150 88,150')],
  [round('8,40 15,5 70,-5 98,35 80,75 40,110 5,150 5,150 98,150'), edged('5,30 30,0 75,0 95,30 5,150 98,150')],
  [
    round('8,18 50,-8 98,20 85,68 45,72 45,72 95,82 100,130 60,158 4,134'),
    edged('8,0 92,0 45,60 95,85 90,130 55,150 8,138'),
  ],
  [edged('70,150 70,0 5,105 98,105'), edged('20,0 12,80 95,80|72,30 72,150')],
  [edged('90,0 18,0 12,62 60,55 95,85 90,128 50,150 8,138')],
  [round('82,2 35,20 5,80 8,130 50,158 98,130 92,75 45,62 10,105')],
  [edged('5,0 95,0 42,150'), edged('5,0 95,0 42,150|30,75 88,75')],
  [round('50,72 8,55 12,8 50,-4 88,8 92,55 50,72 2,92 5,148 50,154 95,148 98,92 50,72')],
  [round('90,48 60,85 8,70 4,25 40,-8 92,15 92,70 78,125 25,152')],
]
const circle = round('50,25 82,35 100,75 82,115 50,125 18,115 0,75 18,35 50,25')
const decoyForms: readonly Form[] = [
  edged('5,30 95,30 95,120 5,120 5,30'),
  edged('50,22 100,120 0,120 50,22'),
  edged('10,35 90,115|90,35 10,115'),
  edged('50,20 50,130|0,75 100,75'),
]

/** Cuts the corners of a line (Chaikin), which turns a few points into a curve. Its ends stay in place. */
function smoothed(line: Line): Line {
  const points: [number, number][] = [[line[0]![0], line[0]![1]]]
  for (let i = 0; i + 1 < line.length; i++) {
    const [[x, y], [nextX, nextY]] = [line[i]!, line[i + 1]!]
    points.push([x * 0.75 + nextX * 0.25, y * 0.75 + nextY * 0.25])
    points.push([x * 0.25 + nextX * 0.75, y * 0.25 + nextY * 0.75])
  }
  const [lastX, lastY] = line[line.length - 1]!
  points.push([lastX, lastY])
  return points
}

/** A random number between two limits. */
const between = (draw: Draw, least: number, most: number): number => least + ((most - least) * draw(1024)) / 1023

type Hand = { scale: number; stroke: number; turn: number; shear: number; wave: number; off: number }

/** Draws a form in the middle of a picture, as if by a shaking hand on warped paper. */
function drawForm(onto: Bitmap, { lines, isRound }: Form, hand: Hand, draw: Draw): void {
  const turn = between(draw, -hand.turn, hand.turn)
  const shear = between(draw, -hand.shear, hand.shear)
  const [wide, high] = [between(draw, 0.85, 1.15) * hand.scale, between(draw, 0.9, 1.1) * hand.scale]
  const [waveX, waveY] = [between(draw, 0, hand.wave), between(draw, 0, hand.wave)]
  const [phaseX, phaseY] = [between(draw, 0, 6.3), between(draw, 0, 6.3)]
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)]
  const stroke = between(draw, 0.75, 1.2) * hand.stroke
  const place = (x: number, y: number): [number, number] => {
    const [u, v] = [(x + shear * y) * wide, y * high]
    const [alongX, alongY] = [u * cosine - v * sine, u * sine + v * cosine]
    return [
      onto.rowBytes * 4 + alongX + waveX * Math.sin(alongY / 9 + phaseX),
      onto.rows / 2 + alongY + waveY * Math.sin(alongX / 9 + phaseY),
    ]
  }
  for (const given of lines) {
    const shaken: Line = given.map(([x, y]) => [
      x + between(draw, -hand.off, hand.off),
      y + between(draw, -hand.off, hand.off),
    ])
    const line = isRound ? smoothed(smoothed(shaken)) : shaken
    for (let i = 0; i + 1 < line.length; i++) {
      const [[x, y], [nextX, nextY]] = [line[i]!, line[i + 1]!]
      const steps = Math.max(1, Math.ceil(Math.max(Math.abs(nextX - x), Math.abs(nextY - y)) * hand.scale))
      for (let step = 0; step <= steps; step++) {
        const [toX, toY] = place(x + ((nextX - x) * step) / steps, y + ((nextY - y) * step) / steps)
        setDisc(onto, toX, toY, stroke)
      }
    }
  }
}

/** Draws a wavy band across a picture, from left to right or from top to bottom. */
function drawBand(onto: Bitmap, half: number, draw: Draw): void {
  const [width, height] = [onto.rowBytes * 8, onto.rows]
  const isAcross = draw(2) === 0
  const [length, breadth] = isAcross ? [width, height] : [height, width]
  const [from, to] = [draw(breadth), draw(breadth)]
  const [high, slow, phase] = [between(draw, 3, 14), between(draw, 9, 30), between(draw, 0, 6.3)]
  for (let along = 0; along < length; along++) {
    const middle = from + ((to - from) * along) / length + high * Math.sin(along / slow + phase)
    for (let off = Math.ceil(middle - half); off <= middle + half; off++) {
      if (isAcross) setPoint(onto, along, off)
      else setPoint(onto, off, along)
    }
  }
}

export type PictureSize = { rowBytes: number; rows: number }

/** The mask that inverts parts of a picture: wide bands, thin lines and specks. */
function drawMask({ rowBytes, rows }: PictureSize, bands: number, specks: number, draw: Draw, make: MakeBytes): Bitmap {
  const mask = emptyBitmap(rowBytes, rows, make)
  for (let n = 0; n < bands; n++) {
    const band = emptyBitmap(rowBytes, rows, make)
    drawBand(band, n % 2 === 0 ? between(draw, 9, 15) : between(draw, 0.6, 1.2), draw)
    invertBy(mask, band)
  }
  for (let n = 0; n < specks; n++) setDisc(mask, draw(rowBytes * 8), draw(rows), between(draw, 0.6, 1.6))
  return mask
}

const digitHand: Hand = { scale: 0.37, stroke: 3.4, turn: 0.3, shear: 0.2, wave: 2, off: 6 }
const shapeHand: Hand = { scale: 0.16, stroke: 1.3, turn: 0.6, shear: 0.1, wave: 0.5, off: 3 }
const digitSize: PictureSize = { rowBytes: 8, rows: 80 }
const shapeSize: PictureSize = { rowBytes: 4, rows: 32 }

/** Stored variants of each digit, shape and mask; one of them is redrawn after this many uses. */
const variants = 12
const renewedEach = 64

/** The distance between digits, and the minimum distance between shapes, in pixels. */
const digitStep = 54
const shapesApart = 20
const decoys = 5

/** Composes pictures from the stored drawings. */
export type Pictures = {
  /** The picture of a five-digit code. */
  code(this: void, digits: string): Bitmap
  /** The picture of a slider with its ring at a position, in the page's units; other shapes surround it. */
  slider(this: void, x: number, y: number): Bitmap
}

/** A store of drawings of one kind: each is drawn on first use, and redrawn from time to time. */
function drawings(drawOne: (this: void, kind: number) => Bitmap, draw: Draw): (this: void, kind: number) => Bitmap {
  const ready: Record<number, Bitmap | undefined> = {}
  let given = 0
  return (kind) => {
    const at = kind * variants + draw(variants)
    given++
    const before = ready[at]
    if (before !== undefined && given % renewedEach !== 0) return before
    ready[at] = drawOne(kind)
    return ready[at]!
  }
}

/**
 * Creates the pictures with random numbers from `draw`, which must be unpredictable. A returned bitmap is overwritten
 * by the next one of its kind.
 */
export function makePictures(draw: Draw, make: MakeBytes): Pictures {
  const formed = (size: PictureSize, hand: Hand, forms: readonly Form[]): Bitmap => {
    const bitmap = emptyBitmap(size.rowBytes, size.rows, make)
    drawForm(bitmap, forms[draw(forms.length)]!, hand, draw)
    return bitmap
  }
  const digit = drawings((kind) => formed(digitSize, digitHand, digitForms[kind]!), draw)
  const shape = drawings((kind) => formed(shapeSize, shapeHand, kind === 0 ? [circle] : decoyForms), draw)
  const codeMask = drawings(() => drawMask(codePicture, 4, 20, draw, make), draw)
  const sliderMask = drawings(() => drawMask(sliderPicture, 6, 20, draw, make), draw)
  const codeCanvas = emptyBitmap(codePicture.rowBytes, codePicture.rows, make)
  const sliderCanvas = emptyBitmap(sliderPicture.rowBytes, sliderPicture.rows, make)

  const stampShape = (kind: number, x: number, y: number): void =>
    stamp(sliderCanvas, shape(kind), x - shapeSize.rowBytes * 4, y - shapeSize.rows / 2)

  return {
    code(digits) {
      clear(codeCanvas)
      for (let i = 0; i < digits.length; i++)
        stamp(codeCanvas, digit(digits.charCodeAt(i) - 48), 4 + i * digitStep + draw(9) - 4, draw(13) - 6)
      invertBy(codeCanvas, codeMask(0), draw(codePicture.rows))
      return codeCanvas
    },
    slider(x, y) {
      clear(sliderCanvas)
      const [ringX, ringY] = [Math.floor(x / sliderScale), Math.floor(y / sliderScale)]
      stampShape(0, ringX, ringY)
      for (let n = 0; n < decoys; n++) {
        const [decoyX, decoyY] = [10 + draw(140), 10 + draw(80)]
        if (Math.abs(decoyX - ringX) >= shapesApart || Math.abs(decoyY - ringY) >= shapesApart)
          stampShape(1, decoyX, decoyY)
      }
      invertBy(sliderCanvas, sliderMask(0), draw(sliderPicture.rows))
      return sliderCanvas
    },
  }
}
