/**
 * Writes nginx configuration: quoting and blocks. It contains only facts of the node and the operator's zone, never
 * text from a tenant.
 */

/** A value in double quotes. Throws on characters that could end or expand it; our paths contain none. */
export function quoted(value: string): string {
  if (/["\\$\n\r\0;{}]/.test(value)) throw new TypeError(`nginx.conf cannot hold ${JSON.stringify(value)}`)
  return `"${value}"`
}

/** A value as a Lua string literal within a Lua block. */
export function luaString(value: string): string {
  if (/["\\\n\r\0{}']/.test(value)) throw new TypeError(`nginx.conf cannot hold ${JSON.stringify(value)}`)
  return `"${value}"`
}

/** A block of directives, indented. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '}']
}

/** Runs a phase as a tail call, so that it can be compiled as a whole. */
export const lua = (phase: string, name: string) => `${phase}_by_lua_block { return edge.${name}() }`
