/** Errors that leave a phase, and their texts. Imports nothing, so threads beside the worker use it, too. */

/** The text of a thrown value. */
export function messageOf(problem: unknown): string {
  return type(problem) === 'table' ? `${(problem as { message?: string }).message}` : tostring(problem)
}

/**
 * Throws a string. What leaves a phase must be one: nginx writes it to the error log, but for an Error object only
 * "unknown reason".
 */
export function raise(message: string): never {
  return error(message, 0)
}
