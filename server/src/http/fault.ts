import {
  type ErrorBody,
  type ErrorDetail,
  type ErrorName,
  errors,
  type FieldIssue,
} from '@breakwater/contract/errors.ts'
import { type Language, messageIn } from './message.ts'

type FaultOptions = { status?: number; message?: string; retryAfterSeconds?: number }

/** An error meant for the caller: an entry of the catalogue. Anything else that is thrown is a bug and gets 101002. */
export class Fault extends Error {
  readonly reason: ErrorName
  readonly extra: unknown
  /** Overrides the catalogue's HTTP status if the transport has a more accurate one (413, 415, 429). */
  readonly status: number
  /** Seconds for Retry-After; by default 1 with 429 and 503. */
  readonly retryAfterSeconds: number | undefined

  constructor(reason: ErrorName, extra?: unknown, options: FaultOptions = {}) {
    super(options.message ?? errors[reason].message)
    this.reason = reason
    this.extra = extra
    this.status = options.status ?? errors[reason].status
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 429 || this.status === 503 ? 1 : undefined)
  }
}

/**
 * Something that no longer exists within the caller's own things. What belongs to others gets 403, as if it never
 * existed.
 */
export const gone = (): Fault => new Fault('permissionDenied', undefined, { status: 404, message: 'Not Found' })

/** One invalid field, found after parsing. */
export function fieldFault(field: string, reason: string, name: ErrorName = 'parameterError'): Fault {
  return new Fault(name, [{ field, reason }] satisfies FieldIssue[])
}

/** Several errors of one bulk call: 101009. */
export class Faults extends Fault {
  readonly list: { reason: ErrorName; targets: string[]; extra?: unknown }[]

  /** `reason` if all of it is one error with a code of its own. */
  constructor(list: { reason: ErrorName; targets: string[]; extra?: unknown }[], reason: ErrorName = 'multipleErrors') {
    super(reason)
    this.list = list
  }
}

/** The response body of an error. */
export function errorBody(fault: Fault, requestId: string, language: Language = 'en_US'): ErrorBody {
  const message = messageIn(language, fault.reason, fault.extra, fault.message)
  const body: ErrorBody = { code: errors[fault.reason].code, message, requestId }
  if (fault.extra !== undefined) {
    body.extra = fault.extra
    body.details = detailsOf(fault)
  }
  if (fault instanceof Faults) {
    body.errors = fault.list.map(({ reason, targets, extra }) => ({
      code: errors[reason].code,
      message: messageIn(language, reason, extra),
      targets,
    }))
  }
  return body
}

/**
 * The content of a fault's extra, whatever its type: the specification gives some codes a list, others a text or a
 * number.
 */
function detailsOf({ reason, extra }: Fault): ErrorDetail[] {
  const parts = Array.isArray(extra) ? extra : [extra]
  return parts.map((part: unknown) => {
    if (typeof part === 'string') return { field: '', reason: part }
    if (typeof part === 'number') return { field: '', reason, max: part }
    const { field, reason: own, max } = (part ?? {}) as Partial<ErrorDetail>
    return { field: field ?? '', reason: own ?? reason, ...(max !== undefined && { max }) }
  })
}
