/** A customer's own headers. They come from a table and are set through nginx's API, which knows no line breaks in them. */
import type { HeaderChange } from '../sites/compile.ts'

/** Of what the visitor gets. */
export function changeHeaders(changes: HeaderChange[]): void {
  for (const { name, value } of changes) ngx.header[name] = value === '' ? undefined : value
}

/** Of what the origin gets. */
export function changeRequest(changes: HeaderChange[]): void {
  for (const { name, value } of changes) {
    if (value === '') ngx.req.clear_header(name)
    else ngx.req.set_header(name, value)
  }
}
