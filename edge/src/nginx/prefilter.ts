/**
 * The nginx.conf of the nginx process that compiles a WAF prefilter (request/sites/build-prefilter.ts): it serves
 * nothing and exits by itself.
 */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { block, luaString, quoted } from './text.ts'

/** `folder` is its working folder; `from` is the rule set's file, `to` the output file of the databases. */
export function renderPrefilterConf(
  { modulesFolder, luaFolder }: Pick<NodeSettings, 'modulesFolder' | 'luaFolder'>,
  { folder, from, to }: { folder: string; from: string; to: string },
): string {
  const modules = ['ndk_http_module', 'ngx_http_lua_module']
  return `${[
    ...modules.map((name) => `load_module ${quoted(`${modulesFolder}/${name}.so`)};`),
    'daemon off;',
    'master_process off;',
    `pid ${quoted(`${folder}/pid`)};`,
    'error_log stderr;',
    ...block('events', []),
    ...block('http', [
      'access_log off;',
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${quoted(folder)};`),
      `lua_package_path ${quoted(`${luaFolder}/?.lua`).slice(0, -1)};;";`,
      ...block('init_by_lua_block', [
        `require("edge.src.request.sites.build-prefilter").build(${luaString(from)}, ${luaString(to)})`,
        'os.exit(0)',
      ]),
    ]),
  ].join('\n')}\n`
}
