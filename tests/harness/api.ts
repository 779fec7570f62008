/** Calls a product's API as a signed-in person. */
export type Api = {
  // biome-ignore lint/suspicious/noExplicitAny: a reply under test may have any shape
  call: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>
  authorization: string
}

export async function signIn(
  url: string,
  tier: 'user' | 'client' | 'admin',
  account: string,
  password: string,
): Promise<Api> {
  const reply = await fetch(`${url}/api/v1/${tier}/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, password }),
  })
  if (!reply.ok) throw new Error(`sign-in answered ${reply.status} ${await reply.text()}`)
  const { data } = (await reply.json()) as { data: { accessToken: string } }
  const authorization = `Bearer ${data.accessToken}`
  return {
    authorization,
    async call(method, path, body) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    },
  }
}
