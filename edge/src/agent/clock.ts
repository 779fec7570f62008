/**
 * How far this machine's clock is off from the control plane's, measured by the `Date` header of its replies. Rows of a
 * machine whose clock is minutes off would show up in the charts at wrong times, so they are shifted by this offset.
 */

/** Smaller offsets are ignored: a `Date` header has whole seconds, and enrolment tolerates the same difference. */
const TOLERATED_MS = 30_000
/** A reply that took longer is too imprecise to tell when it was sent. */
const ROUND_MAX_MS = 5_000

export type Clock = {
  /** Records a reply: its `Date` header, and when it was requested and received by this machine's clock, in ms. */
  note(date: string | undefined, askedAt: number, heardAt: number): void
  /** Seconds to add to this machine's times; 0 if its clock is right. Undefined until the control plane has replied. */
  offset(): number | undefined
}

export function makeClock(): Clock {
  let offset: number | undefined
  return {
    note(date, askedAt, heardAt) {
      const said = Date.parse(date ?? '')
      if (Number.isNaN(said)) offset ??= 0
      else if (heardAt - askedAt <= ROUND_MAX_MS) {
        // The header is truncated to whole seconds: add half a second.
        const apart = said + 500 - (askedAt + heardAt) / 2
        offset = Math.abs(apart) > TOLERATED_MS ? Math.round(apart / 1000) : 0
      }
    },
    offset: () => offset,
  }
}

/** The problem to report if the clock is wrong, or undefined. */
export function clockProblem(offset: number | undefined): string | undefined {
  if (!offset) return undefined
  const apart = `${Math.abs(offset)} s ${offset > 0 ? 'behind' : 'ahead of'} the control plane's`
  return `this machine's clock is ${apart}; its rows are moved by that`
}
