/** A customer of its own on the shared product, for one test file. */
import { inject } from 'vitest'
import { signIn } from './api.ts'
import type { SharedProduct } from './shared-product.ts'

/** The shared product, with a new customer in place of the first one. `name` is the customer's account. */
export async function openTenant(name: string): Promise<SharedProduct> {
  const product = inject('product')
  const { operator, password } = product.accounts
  const desk = await signIn(product.url, 'client', operator, password)
  const change = async (api: typeof desk, method: string, path: string, body: object) => {
    const reply = await api.call(method, path, body)
    if (reply.status !== 200)
      throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }
  const email = `${name}@example.com`
  const { id } = await change(desk, 'POST', '/client/account', { auth: 'user', name, account: name, email })
  const first = { password: 'set-by-parent-1', confirmPassword: 'set-by-parent-1' }
  await change(desk, 'PUT', '/client/account/password', { auth: 'user', id, ...first })
  const person = await signIn(product.url, 'user', name, first.password)
  const passwords = { oldPassword: first.password, password, confirmPassword: password }
  await change(person, 'PATCH', '/user/password', passwords)
  return { ...product, accounts: { ...product.accounts, customer: name } }
}
