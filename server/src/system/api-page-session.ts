/** Makes the API page use the console's session for as long as it lasts. */
import { errors } from '@breakwater/contract/errors.ts'

/**
 * Runs in the browser before the page's library. A call tried with the token that the page started with is sent with
 * the console's current token instead, and is retried once after a refresh if that has expired. A token that was typed
 * in is sent as it is. The cookies are those of the console, and so is the name of the lock: one refresh for all tabs.
 * The API itself reads only the header.
 */
export const apiPageSession = `'use strict'
const tier = location.pathname.split('/')[4] || ''
const names = ['accessToken', 'refreshToken', 'tokenType']
const prefix = { user: 'u_', client: 'c_', admin: 'a_' }[tier]
const cookie = (name) => {
  const found = prefix && document.cookie.split('; ').find((one) => one.startsWith(prefix + name + '='))
  return found ? decodeURIComponent(found.slice(prefix.length + name.length + 1)) : ''
}
const shownToken = cookie('accessToken')
const ask = window.fetch.bind(window)
const alone = (run) =>
  navigator.locks ? navigator.locks.request('breakwater.refresh.' + tier, run) : run()

/** Whether there are tokens that are not the stale one, of another tab or new. */
async function refresh(stale) {
  const [accessToken, refreshToken] = [cookie('accessToken'), cookie('refreshToken')]
  if (!accessToken || accessToken !== stale) return accessToken !== ''
  const answer = await ask('/api/v1/' + tier, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessToken, refreshToken }),
  })
  if (!answer.ok) return false
  const { data } = await answer.json()
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  for (const name of names)
    document.cookie =
      prefix + name + '=' + encodeURIComponent(data[name]) + '; Path=/; Max-Age=63072000; SameSite=Strict' + secure
  return true
}

window.fetch = async (input, init) => {
  const request = new Request(input, init)
  const isOurs = new URL(request.url).origin === location.origin
  if (!isOurs || !shownToken || request.headers.get('authorization') !== 'Bearer ' + shownToken) return ask(request)
  const used = cookie('accessToken') || shownToken
  const withToken = (token) => {
    const call = request.clone()
    call.headers.set('authorization', 'Bearer ' + token)
    return ask(call)
  }
  const answer = await withToken(used)
  if (answer.status !== 401) return answer
  const { code } = await answer.clone().json()
  if (code !== ${errors.tokenExpired.code} || !(await alone(() => refresh(used)))) return answer
  return withToken(cookie('accessToken'))
}
`
