/** A call that failed, in the one shape that everything above `send` reads. */
import { type ErrorBody, type ErrorName, errorName, type FieldIssue } from '@breakwater/contract/errors.ts'

export const defaultMessage = 'Some Error Occurred'

/** A line of 101009; `extra` only of refusals that the console put together itself. */
type Refusal = NonNullable<ErrorBody['errors']>[number] & { extra?: unknown }
type Details = Partial<Omit<ErrorBody, 'message' | 'errors'>> & {
  message?: string
  status?: number
  errors?: Refusal[]
}

export class Fault extends Error {
  readonly isError = true
  /** 0 where no answer came: the network, a time-out. */
  readonly code: number
  readonly status: number
  /** The list of 101009. */
  readonly errorData: Refusal[]
  readonly extra: unknown
  readonly requestId: string

  constructor({ code = 0, status = 0, message, errors = [], extra, requestId = '' }: Details) {
    super(message || defaultMessage)
    this.code = code
    this.status = status
    this.errorData = errors
    this.extra = extra
    this.requestId = requestId
  }

  /** The catalogue's name, or nothing for a code that it does not have. */
  get reason(): ErrorName | undefined {
    return errorName(this.code)
  }

  /** The wrong fields, where the server named them. */
  get fields(): FieldIssue[] {
    return Array.isArray(this.extra) ? this.extra.filter(isFieldIssue) : []
  }

  /** Whether the account has to choose a password before anything else. */
  get needsNewPassword(): boolean {
    return this.reason === 'permissionDenied' && this.extra === 'passwordChangeRequired'
  }
}

function isFieldIssue(value: unknown): value is FieldIssue {
  return typeof value === 'object' && value !== null && 'field' in value && 'reason' in value
}

/** Reads a reply that is not 2xx. A proxy in between may answer without JSON. */
export async function faultOf(response: Response): Promise<Fault> {
  const requestId = response.headers.get('x-request-id') ?? ''
  const body = await response.json().catch(() => ({}))
  const details = typeof body === 'object' && body !== null ? (body as Partial<ErrorBody>) : {}
  return new Fault({ requestId, ...details, status: response.status })
}
