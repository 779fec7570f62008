/**
 * How far this machine's clock is from the control plane's, by the date of its answers. Rows of a machine whose clock is
 * wrong by minutes would stand in the charts at times that never were; they are moved by what is known here.
 */

/** Below this nothing is moved: a date has whole seconds, and whoever is as near as this may enrol. */
const TOLERATED_MS = 30_000
/** An answer that took longer says too little of the time at which it was given. */
const ROUND_MAX_MS = 5_000

export type Clock = {
  /** Takes note of an answer: its date header, and when it was asked for and heard by this machine's clock, in ms. */
  note(date: string | undefined, askedAt: number, heardAt: number): void
  /** Seconds to add to this machine's times; 0 where its clock is right. Nothing until the control plane was heard. */
  offset(): number | undefined
}

export function makeClock(): Clock {
  let offset: number | undefined
  return {
    note(date, askedAt, heardAt) {
      const said = Date.parse(date ?? '')
      if (Number.isNaN(said)) offset ??= 0
      else if (heardAt - askedAt <= ROUND_MAX_MS) {
        // Half a second for what the date leaves off.
        const apart = said + 500 - (askedAt + heardAt) / 2
        offset = Math.abs(apart) > TOLERATED_MS ? Math.round(apart / 1000) : 0
      }
    },
    offset: () => offset,
  }
}

/** What is said of a clock that is wrong, or nothing. */
export function clockProblem(offset: number | undefined): string | undefined {
  if (!offset) return undefined
  const apart = `${Math.abs(offset)} s ${offset > 0 ? 'behind' : 'ahead of'} the control plane's`
  return `this machine's clock is ${apart}; its rows are moved by that`
}
