/** `main.ts enrol-local`: an invitation for a node on this machine. */
import { join } from 'node:path'
import { authorityCertificate } from '../authority/authority.ts'
import { withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { makeToken, unnamed } from './enrol-token.ts'

export type LocalInvitation = {
  token: string
  server: string
  /** The path of the authority's certificate, as expected in BREAKWATER_SERVER_CA. */
  ca: string
}

/** A new token for the first zone, or undefined if there is no zone yet. */
export async function enrolLocal({
  env,
  database,
}: Pick<Services, 'env' | 'database'>): Promise<LocalInvitation | undefined> {
  await authorityCertificate(env.dataFolder)
  return withSystem(database.db, async (db) => {
    const zone = await db.selectFrom('zones').select('id').orderBy('id').executeTakeFirst()
    if (!zone) return undefined
    const { token } = await makeToken(db, zone.id, unnamed)
    const ca = join(env.dataFolder, 'keys', 'authority.pem')
    return { token, server: `https://127.0.0.1:${env.nodePort}`, ca }
  })
}
