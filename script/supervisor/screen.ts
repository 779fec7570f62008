import { networkInterfaces } from 'node:os'
import type { PortName, Settings } from './settings.ts'

export type FirstAccount = { tier: string; account: string; password: string }

const startedMs = performance.now()

/** Prints one line of progress, with the seconds since the start. */
export function say(text: string) {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)
  console.log(`${seconds} s  ${text}`)
}

export function showAddresses(
  ports: Record<PortName, number>,
  { dataFolder, listenAddress, ownTlsPort }: Pick<Settings, 'dataFolder' | 'listenAddress' | 'ownTlsPort'>,
) {
  const host = outsideAddress()
  const isLocal = /^(127\.|::1$|localhost$)/.test(listenAddress)
  const web = (scheme: string, port: number) => {
    const suffix = port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`
    return [`${scheme}://localhost${suffix}/`, ...(host ? [`${scheme}://${host}${suffix}/`] : [])].join('   ')
  }
  console.log(`
Breakwater serves.

  Console and API   ${isLocal ? fromElsewhere(ports.PORT, host) : web('http', ports.PORT)}
${ownTlsPort === undefined ? '' : ownAddress(ports)}  Edge              ${web('http', ports.EDGE_HTTP_PORT)}
                    ${web('https', ports.EDGE_HTTPS_PORT)}
  Further nodes     https://${host ?? 'localhost'}:${ports.NODE_PORT}/ (with a token from the console)
  Data and logs     ${dataFolder}, ${dataFolder}/logs`)
  if (!process.env.BREAKWATER_EDGE_DOMAIN)
    console.log(`
  Customers point DNS at addresses of nodes, as no DNS zone of the edge is known: script/server --edge-domain <name>`)
}

/** The console at its own https URL, or what prevents it. */
function ownAddress({ CONSOLE_HTTP_PORT, CONSOLE_HTTPS_PORT }: Record<PortName, number>): string {
  const address = process.env.BREAKWATER_PUBLIC_URL
  if (CONSOLE_HTTPS_PORT === 0)
    return `                    not at ${address}: its port is another program's, or needs root. Is it a proxy in front?
                    Name it in BREAKWATER_TRUSTED_PROXIES (docs/operating.md)\n`
  const note = CONSOLE_HTTP_PORT === 0 ? '   (port 80 cannot be had: no certificate is ordered)' : ''
  return `                    ${address}${note}\n`
}

/** Without TLS the console listens on this machine only: how to open it from another one. */
function fromElsewhere(port: number, host: string | undefined): string {
  return `http://localhost:${port}/   (on this machine only)
                    from elsewhere: ssh -L ${port}:localhost:${port} ${host ?? '<this machine>'}
                    or a TLS proxy in front (docs/operating.md), or BREAKWATER_LISTEN=0.0.0.0 in a network you trust`
}

export function showAccounts(accounts: FirstAccount[], passwordWasGiven: boolean) {
  if (!accounts.length) return
  const note = passwordWasGiven
    ? 'with the password you set'
    : 'shown only this once; a new password is asked for at the first sign-in'
  console.log(`\n  First accounts (${note}):\n`)
  for (const { tier, account, password } of accounts) {
    const shown = passwordWasGiven ? '' : `   ${password}`
    console.log(`    ${tier.padEnd(10)} ${account.padEnd(12)}${shown}`)
  }
}

function outsideAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((address) => address && !address.internal && address.family === 'IPv4')?.address
}
