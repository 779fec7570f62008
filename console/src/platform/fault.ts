/** A failed call, in the single shape that all code above `send` uses. */
import { type ErrorBody, type ErrorName, errorName, type FieldIssue } from '@breakwater/contract/errors.ts'

export const defaultMessage = 'Some Error Occurred'

/** An entry of 101009; `extra` is set only on those that the console created itself. */
type Refusal = NonNullable<ErrorBody['errors']>[number] & { extra?: unknown }
type Details = Partial<Omit<ErrorBody, 'message' | 'errors'>> & {
  message?: string
  status?: number
  errors?: Refusal[]
}

export class Fault extends Error {
  readonly isError = true
  /** 0 if there was no response: a network error or a timeout. */
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

  /** The catalogue's name; undefined for an unknown code. */
  get reason(): ErrorName | undefined {
    return errorName(this.code)
  }

  /** The invalid fields, if the server named them. */
  get fields(): FieldIssue[] {
    return Array.isArray(this.extra) ? this.extra.filter(isFieldIssue) : []
  }

  /** Whether the account must set a password before anything else. */
  get needsNewPassword(): boolean {
    return this.reason === 'permissionDenied' && this.extra === 'passwordChangeRequired'
  }
}

function isFieldIssue(value: unknown): value is FieldIssue {
  return typeof value === 'object' && value !== null && 'field' in value && 'reason' in value
}

/** Parses a response that is not 2xx. A proxy in between may respond without JSON. */
export async function faultOf(response: Response): Promise<Fault> {
  const requestId = response.headers.get('x-request-id') ?? ''
  const body = await response.json().catch(() => ({}))
  const details = typeof body === 'object' && body !== null ? (body as Partial<ErrorBody>) : {}
  return new Fault({ requestId, ...details, status: response.status })
}
