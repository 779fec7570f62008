/** Downloads files from the API with the session, and has the browser save them under the name in the response. */
import type { AnyEndpoint, Input } from '@breakwater/contract/endpoint.ts'
import { send } from './browser.ts'

/** Throws a `Fault` if the call is refused. */
export async function download<E extends AnyEndpoint>(endpoint: E, input: Input<E>): Promise<void> {
  const response = await send.raw(endpoint, input)
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download'
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
