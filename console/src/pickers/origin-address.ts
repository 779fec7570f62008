/** An origin in the usual notations: `203.0.113.7`, `host:8080`, `https://host`, `[2001:db8::1]:443`. */
export type OriginAddress = { ip: string; port: number; tls: boolean }

const written =
  /^(?:(https?):\/\/)?(?:\[([0-9a-f:.]+)\]|([^\s/:]+)|([0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*))(?::(\d{1,5}))?\/?$/i

/** Parses an origin; without a port, the scheme determines it. */
export function parseOrigin(text: string): OriginAddress | undefined {
  const match = written.exec(text.trim())
  if (!match) return undefined
  const [, scheme, bracketed, plain, bareV6, port] = match
  const tls = scheme?.toLowerCase() === 'https' || (scheme === undefined && port === '443')
  const number = port === undefined ? (tls ? 443 : 80) : Number(port)
  if (number < 1 || number > 65_535) return undefined
  return { ip: bracketed ?? plain ?? bareV6 ?? '', port: number, tls }
}

export function formatOrigin({ ip, port, tls }: OriginAddress): string {
  const host = ip.includes(':') ? `[${ip}]` : ip
  return `${tls ? 'https' : 'http'}://${host}${port === (tls ? 443 : 80) ? '' : `:${port}`}`
}
