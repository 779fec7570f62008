/** Writing nginx configuration: quoting, and blocks. Only facts of the node and the operator's zone come here, never a tenant's text. */

/** A value in double quotes. What could end or expand it has no place in a path of ours. */
export function quoted(value: string): string {
  if (/["\\$\n\r\0;{}]/.test(value)) throw new TypeError(`nginx.conf cannot hold ${JSON.stringify(value)}`)
  return `"${value}"`
}

/** A value as a Lua string literal inside a Lua block. */
export function luaString(value: string): string {
  if (/["\\\n\r\0{}']/.test(value)) throw new TypeError(`nginx.conf cannot hold ${JSON.stringify(value)}`)
  return `"${value}"`
}

/** A block of directives, indented. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '}']
}

/** Called as the last thing a block does, a phase can be compiled as a whole. */
export const lua = (phase: string, name: string) => `${phase}_by_lua_block { return edge.${name}() }`
