/** A gate for herds: so many at a time, a bounded queue behind them, and a refusal that says when to come again. */
import { Fault } from '../http/fault.ts'

export class Turns {
  private readonly atOnce: number
  private readonly queueMax: number
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(atOnce: number, queueMax: number) {
    this.atOnce = atOnce
    this.queueMax = queueMax
  }

  /** Runs when a place is free. Throws 503 where even the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) {
      if (this.waiting.length >= this.queueMax)
        throw new Fault('databaseError', undefined, { status: 503, message: 'too many nodes at once' })
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else this.running += 1
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.running -= 1
    }
  }
}
