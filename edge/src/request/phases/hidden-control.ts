/**
 * How the inner hop passes on the Cache-Control for visitors when nginx must not read it: the birth, a space, and that
 * text.
 */

/** Used in place of a birth if browsers count from when they received a response, not from when it was generated. */
export const noBirth = 0
/** Used in place of a Cache-Control if the origin sent none. */
export const noControl = '-'

type Hidden = { birth: number | undefined; control: string | undefined }

/** Recently parsed values: where a rule says how long browsers keep responses, they are all alike. */
let hiddenKnown: Record<string, Hidden> = {}
let hiddenCount = 0
const hiddenMax = 256

/** The birth, and the Cache-Control that was hidden after it. */
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
