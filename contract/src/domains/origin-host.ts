/** The address of an origin: an IP address or a host name. The port is a separate field. */
import { z } from 'zod'
import { parseAddress } from '../addresses.ts'

const label = /^[A-Za-z0-9_-]{1,63}$/
/**
 * Forms that some resolvers read as an address: `2130706433`, `0x7f.1`, `127.0.0.1.` (the last label of an IPv4
 * address, WHATWG URL).
 */
const numeric = /^(\d+|0x[0-9a-f]*)$/i

/** Whether a text is an IP address, or a host name that cannot be mistaken for one. */
function isOriginHost(text: string): boolean {
  if (parseAddress(text)) return true
  const labels = text.replace(/\.$/, '').split('.')
  return labels.every((one) => label.test(one)) && !numeric.test(labels.at(-1)!)
}

/** An IP address or a host name. The server checks where it may point (private networks, the control plane itself). */
export const OriginHost = z
  .string()
  .trim()
  .min(1, 'required')
  .max(253, 'charactersExceedLimit')
  .refine((text) => text === '' || isOriginHost(text), 'wrongFormat')
