/** Host names as nodes get them: ASCII and lower case, however they were typed. */
import { z } from 'zod'

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const name = `${label}(?:\\.${label})*`

export const HostName = z
  .string()
  .max(253)
  .regex(new RegExp(`^${name}$`))
/** May begin with `*.`. */
export const HostPattern = z
  .string()
  .max(255)
  .regex(new RegExp(`^(?:\\*\\.)?${name}$`))
