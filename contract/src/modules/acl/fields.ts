/** What a condition of the Lua ACL may test: the fields of a request, the operators, and which go together. */

/** The type of a field's values. */
export type AclKind = 'text' | 'number' | 'address' | 'country'

type Field = {
  kind: AclKind
  /** Has a name in parentheses: `header("x-api")`. */
  isNamed?: true
  /** May be absent, so that `exists` is meaningful. */
  isOptional?: true
  /** The largest value of a number. */
  max?: number
}

export const aclFields = {
  method: { kind: 'text' },
  scheme: { kind: 'text' },
  host: { kind: 'text' },
  path: { kind: 'text' },
  extension: { kind: 'text', isOptional: true },
  query: { kind: 'text', isOptional: true },
  arg: { kind: 'text', isNamed: true, isOptional: true },
  header: { kind: 'text', isNamed: true, isOptional: true },
  cookie: { kind: 'text', isNamed: true, isOptional: true },
  userAgent: { kind: 'text', isOptional: true },
  referer: { kind: 'text', isOptional: true },
  address: { kind: 'address' },
  country: { kind: 'country' },
  /** The zone's name for the verified bot that the client is. */
  bot: { kind: 'text', isOptional: true },
  asn: { kind: 'number', max: 4_294_967_295 },
  hour: { kind: 'number', max: 23 },
  weekday: { kind: 'number', max: 7 },
  bodyBytes: { kind: 'number', max: 9_999_999_999 },
} as const satisfies Record<string, Field>
export type AclField = keyof typeof aclFields
export const aclFieldNames = Object.keys(aclFields) as [AclField, ...AclField[]]
export const aclField = (name: AclField): Field => aclFields[name]

/** As they are written in the text form. */
export const aclSigns = {
  eq: '=',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  in: 'in',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  contains: 'contains',
  matches: 'matches',
  exists: 'exists',
} as const
export type AclOperator = keyof typeof aclSigns
export const aclOperators = Object.keys(aclSigns) as [AclOperator, ...AclOperator[]]

const operatorsOf: Record<AclKind, readonly AclOperator[]> = {
  text: ['eq', 'ne', 'in', 'startsWith', 'endsWith', 'contains', 'matches'],
  number: ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'],
  address: ['eq', 'ne', 'in'],
  country: ['eq', 'ne', 'in'],
}

/** Whether an operator applies to a field. */
export const takesOperator = (name: AclField, operator: AclOperator): boolean =>
  operator === 'exists' ? aclField(name).isOptional === true : operatorsOf[aclField(name).kind].includes(operator)
