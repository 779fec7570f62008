/** The version and capabilities of this machine's nginx, determined once. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { edgeFeatures } from '@breakwater/contract/edge/features.ts'
import { log, reasonOf } from './log.ts'

export type NginxFacts = { version: string; openssl: string; capabilities: string[] }

/** How each module is detected: by its file name, or by the configure arguments if built in. */
const modules: Record<string, RegExp> = {
  brotli: /ngx_http_brotli_filter_module\.so/,
  lua: /ngx_http_lua_module\.so/,
  http2: /--with-http_v2_module/,
  http3: /--with-http_v3_module/,
  modsecurity: /ngx_http_modsecurity_module\.so/,
  stream: /ngx_stream_module\.so|--with-stream(\s|$)/,
}

/** Pure: version and capabilities from the output of `nginx -V` and the file names in the modules folder. */
export function readFacts(description: string, files: readonly string[]): NginxFacts {
  const all = [description, ...files].join('\n')
  const capabilities = Object.keys(modules).filter((name) => modules[name]?.test(all))
  // nginx prints both versions if the library was upgraded after nginx was built.
  const openssl = /(?:running|built) with OpenSSL (\S+)(?![\s\S]*running with)/.exec(description)?.[1] ?? ''
  return { version: /nginx\/(\S+)/.exec(description)?.[1] ?? '', openssl, capabilities }
}

/** The capabilities of this node: those of its nginx and of this agent. Sorted. */
export const capabilitiesOf = ({ capabilities }: NginxFacts): string[] => [...capabilities, ...edgeFeatures].sort()

export async function nginxFacts(nginx: string, modulesFolder: string): Promise<NginxFacts> {
  try {
    // nginx prints its version to standard error. The long timeout keeps an overloaded machine from seeming incapable.
    const { stderr } = await promisify(execFile)(nginx, ['-V'], { timeout: 60_000 })
    return readFacts(stderr, namesIn(modulesFolder))
  } catch (error) {
    log.warn('cannot ask nginx for its version', { reason: reasonOf(error) })
    return { version: '', openssl: '', capabilities: [] }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
