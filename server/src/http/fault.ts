import { type ErrorBody, type ErrorName, errors, type FieldIssue } from '@breakwater/contract/errors.ts'

/** A refusal the caller is meant to read: an entry of the catalogue. Anything else that is thrown is a bug and answers 101002. */
export class Fault extends Error {
  readonly reason: ErrorName
  readonly extra: unknown
  /** Overrides the catalogue's HTTP status where the transport has a truer one (413, 415, 429). */
  readonly status: number

  constructor(reason: ErrorName, extra?: unknown, options: { status?: number; message?: string } = {}) {
    super(options.message ?? errors[reason].message)
    this.reason = reason
    this.extra = extra
    this.status = options.status ?? errors[reason].status
  }
}

/** One field that is wrong, found after parsing. */
export function fieldFault(field: string, reason: string, name: ErrorName = 'parameterError'): Fault {
  return new Fault(name, [{ field, reason }] satisfies FieldIssue[])
}

/** Many refusals of one bulk call: 101009. */
export class Faults extends Fault {
  readonly list: { reason: ErrorName; targets: string[]; extra?: unknown }[]

  constructor(list: { reason: ErrorName; targets: string[]; extra?: unknown }[]) {
    super('multipleErrors')
    this.list = list
  }
}

/** The body of a refusal. */
export function errorBody(fault: Fault, requestId: string): ErrorBody {
  const body: ErrorBody = { code: errors[fault.reason].code, message: fault.message, requestId }
  if (fault.extra !== undefined) body.extra = fault.extra
  if (fault instanceof Faults) {
    body.errors = fault.list.map(({ reason, targets }) => ({
      code: errors[reason].code,
      message: errors[reason].message,
      targets,
    }))
  }
  return body
}
