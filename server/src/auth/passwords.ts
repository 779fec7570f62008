/** Password hashing: argon2id with OWASP's parameters (19 MiB, two passes). Leaves one processor to everything else. */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The most hashes at once: each keeps a processor busy for about twenty milliseconds. */
const atOnceMax = Math.max(1, availableParallelism() - 1)

let running = 0
const waiting: (() => void)[] = []

/** A flood of sign-ins queues here instead of starving every other call of threads. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

/** The hash of a random password, so that an unknown account takes as long as a wrong password. */
const nobody = hashPassword(crypto.randomUUID())

/** Whether a password matches. Without a hash it takes the same time and returns false. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const known = passwordHash ?? (await nobody)
  const fits = await inTurn(() => verify(known, password))
  return fits && passwordHash !== undefined
}
