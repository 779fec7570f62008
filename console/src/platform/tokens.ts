/** The three tokens of a console, in cookies of its own: sessions of the three consoles exist side by side. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'

const prefixes: Record<Tier, string> = { user: 'u_', client: 'c_', admin: 'a_' }
const names = ['accessToken', 'refreshToken', 'tokenType'] as const
const twoYearsSeconds = 2 * 365 * 24 * 3600

export type TokenStore = {
  /** All three, or undefined: one or two of them are not a session. */
  read: (tier: Tier) => TokenSet | undefined
  write: (tier: Tier, tokens: TokenSet) => void
  clear: (tier: Tier) => void
}

export const cookieTokens: TokenStore = {
  read(tier) {
    const cookies = new Map(document.cookie.split('; ').map((pair) => pair.split('=', 2) as [string, string]))
    const [accessToken, refreshToken, tokenType] = names.map((name) => cookies.get(prefixes[tier] + name))
    if (!accessToken || !refreshToken || !tokenType) return undefined
    return {
      accessToken: decodeURIComponent(accessToken),
      refreshToken: decodeURIComponent(refreshToken),
      tokenType: decodeURIComponent(tokenType),
    }
  },
  write(tier, tokens) {
    for (const name of names) setCookie(prefixes[tier] + name, tokens[name], twoYearsSeconds)
  },
  clear(tier) {
    for (const name of names) setCookie(prefixes[tier] + name, '', 0)
  },
}

function setCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // The Cookie Store API is unavailable over plain HTTP, which people use when they first open their own installation.
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${seconds}; SameSite=Strict${secure}`
}
