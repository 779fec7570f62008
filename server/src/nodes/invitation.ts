/**
 * What one machine needs to join a zone: a token, the server's address, the authority to trust, and the command to run.
 */
import { authorityCertificate } from '../authority/authority.ts'
import { publicServerName } from '../authority/server-names.ts'
import type { Database } from '../db/database.ts'
import type { Env } from '../process/env.ts'
import { makeToken } from './enrol-token.ts'

const urlOf = (name: string, port: number): string => `https://${name.includes(':') ? `[${name}]` : name}:${port}`

/**
 * One line for the new machine's shell. It contains the authority's certificate, so nothing is trusted on first use,
 * and what it downloads is only for the token's holder.
 */
function commandFor(server: string, authority: string, token: string): string {
  const pem = Buffer.from(authority).toString('base64')
  return `curl -fsS --cacert <(echo ${pem} | base64 -d) -H 'Authorization: Bearer ${token}' ${server}/install | $(command -v sudo) bash`
}

/** Creates an invitation to a zone. Runs as the system; the caller's permission was checked before. */
export async function makeInvitation(
  db: Database,
  env: Pick<Env, 'dataFolder' | 'nodePort'>,
  zoneId: number,
  name: string,
): Promise<{ token: string; expiresAt: string; server: string; authority: string; command: string }> {
  const authority = await authorityCertificate(env.dataFolder)
  const { token, expiresAt } = await makeToken(db, zoneId, name)
  const server = urlOf(publicServerName(), env.nodePort)
  return { token, expiresAt: expiresAt.toISOString(), server, authority, command: commandFor(server, authority, token) }
}
