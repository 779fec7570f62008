/** People for tests: created through the API, with a password set by their parent and changed by themselves. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { TestServer } from './server.ts'

type Options = { console: Tier; as: TokenSet; auth?: Tier; permissions?: readonly string[]; body?: object }

/** Creates an account and gives it a password and, in consoles with roles, a role with the requested permissions. */
export async function makePerson(server: TestServer, account: string, options: Options): Promise<number> {
  const { console: tier, as, auth = tier, permissions = [], body = {} } = options
  const ask = async (method: string, path: string, value: object) => {
    const reply = await server.call(method, `/${tier}${path}`, { as, body: value })
    if (reply.status !== 200)
      throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }
  const roleIDs =
    permissions.length > 0 && tier !== 'admin'
      ? [(await ask('POST', '/roles', { name: `role of ${account}`, permissions })).id]
      : []
  const email = `${account}@example.com`
  const made = await ask('POST', '/account', { auth, name: account, account, email, roleIDs, ...body })
  const password = { password: 'set-by-parent-1', confirmPassword: 'set-by-parent-1' }
  await ask('PUT', '/account/password', { auth, id: made.id, ...password })
  await server.services.database.pool.query('update accounts set must_change_password = false where id = $1', [made.id])
  return made.id
}

export const signInPerson = (server: TestServer, tier: Tier, account: string): Promise<TokenSet> =>
  server.signIn(tier, account, 'set-by-parent-1')
