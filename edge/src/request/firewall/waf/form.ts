/** Parses cookies, and the arguments of a query or form. */
import type { Pair } from '../../lib/waf-tools.ts'

/** A value that rules inspect: its name, such as `ARGS:id`, and its text. */
export type Value = { name: string; value: string }

/** Decodes a text, or the part between two offsets. */
export type FormDecoder = (this: void, text: string, from?: number, end?: number) => string

/** Adds the arguments of `a=1&b=2`, decoded. Stops once there are more than `max`, so that the caller notices. */
export function takeForm(to: Pair[], text: string, max: number, formDecoded: FormDecoder): void {
  if (text === '') return
  let from = 0
  while (from <= text.length && to.length <= max) {
    const next = text.indexOf('&', from)
    const end = next < 0 ? text.length : next
    if (end > from) {
      const equals = text.indexOf('=', from)
      const isNamed = equals >= 0 && equals < end
      const name = formDecoded(text, from, isNamed ? equals : end)
      to.push({ name, value: isNamed ? formDecoded(text, equals + 1, end) : '' })
    }
    from = end + 1
  }
}

/** Adds the cookies of one header, as they were sent. */
export function takeCookies(to: Pair[], text: string, max: number): void {
  let from = 0
  while (from < text.length && to.length <= max) {
    const next = text.indexOf(';', from)
    const end = next < 0 ? text.length : next
    let start = from
    while (start < end && text.charAt(start) === ' ') start++
    if (start < end) {
      const equals = text.indexOf('=', start)
      const isNamed = equals >= 0 && equals < end
      to.push({
        name: text.substring(start, isNamed ? equals : end),
        value: isNamed ? text.substring(equals + 1, end) : '',
      })
    }
    from = end + 1
  }
}
