/** What the inner hop tells the outer one where nginx must not read the Cache-Control that visitors get: a birth, a blank, and that text. */

/** In the place of a birth where browsers count from when they got an answer, not from when it was made. */
export const noBirth = 0
/** In the place of a Cache-Control where the origin sent none. */
export const noControl = '-'

type Hidden = { birth: number | undefined; control: string | undefined }

/** What was read lately of births with a Cache-Control: where a rule says how long browsers keep answers, they are alike. */
let hiddenKnown: Record<string, Hidden> = {}
let hiddenCount = 0
const hiddenMax = 256

/** The birth, and the Cache-Control that travelled behind it. */
export function hiddenIn(told: string): Hidden {
  const known = hiddenKnown[told]
  if (known !== undefined) return known
  if (hiddenCount >= hiddenMax) {
    hiddenKnown = {}
    hiddenCount = 0
  }
  const space = told.indexOf(' ')
  const control = told.substring(space + 1)
  const hidden = { birth: tonumber(told.substring(0, space)), control: control === noControl ? undefined : control }
  hiddenKnown[told] = hidden
  hiddenCount++
  return hidden
}
