/** A real OpenID provider on this machine, which signs people in without any questions. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type IdentityProvider = {
  issuer: string
  /** The person who signs in next. */
  person: { subject: string; email: string; verified: boolean }
  stop: () => Promise<void>
}

export const providerClient = { clientID: 'breakwater', clientSecret: 'a-secret-of-the-provider' }

/** Starts a provider that redirects to these addresses. */
export async function startIdentityProvider(redirectUris: string[]): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const person: IdentityProvider['person'] = { subject: 'subject-1', email: 'person@example.com', verified: true }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: providerClient.clientID,
        client_secret: providerClient.clientSecret,
        redirect_uris: redirectUris,
        // The test's consoles are on this machine, over plain http.
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: person.email, email_verified: person.verified, name: 'A person' }),
    }),
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { prompt, params, grantId } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: person.subject } })
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: person.subject, clientId: String(params.client_id) })
    grant!.addOIDCScope('openid email profile')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant!.save() } })
  })
  const stop = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { issuer, person, stop }
}
