/** Debian's nginx with its ModSecurity connector, and the Core Rule Set of Debian or another, in front of an origin. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../edge/box/harness.ts'
import { freePort } from './ports.ts'

const module = '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so'
export const hasModSecurity = existsSync(module)

/** The host that is checked by the rules; others are not. */
export const watchedHost = 'on.test'

type Options = {
  /** Directives before the rule set. */
  settings: string
  /** Whether the rules check every host. */
  isEveryHost: boolean
  /** Whether they check responses. */
  isOfAnswers?: boolean
  /** The folder of the rule set; Debian's if absent. */
  ruleSet?: string
}

const ofDebian = `Include /etc/modsecurity/crs/crs-setup.conf
Include /usr/share/modsecurity-crs/rules/*.conf`

const rulesFor = ({ settings, isOfAnswers = false, ruleSet }: Options) => `
SecRequestBodyAccess On
SecResponseBodyAccess ${isOfAnswers ? 'On' : 'Off'}
SecResponseBodyMimeType text/plain text/html text/xml application/json
SecRequestBodyLimit 1310720
SecRequestBodyNoFilesLimit 1310720
SecPcreMatchLimit 100000
SecPcreMatchLimitRecursion 100000
${settings}
${ruleSet === undefined ? ofDebian : `Include ${ruleSet}/*.conf`}
`

/** Blocks, and writes no log: to measure the cost of the rules. */
export const blocking: Options = { settings: 'SecRuleEngine On\nSecAuditEngine Off', isEveryHost: false }

/** Blocks nothing and reports which rules match, at a paranoia level. */
export const telling = (paranoia: number): Options => ({
  settings: `SecRuleEngine DetectionOnly
SecRule REQUEST_HEADERS:Content-Type "(?:application(?:/soap\\+|/)|text/)xml" "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "application/json" "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
SecAuditEngine On
SecAuditLogParts AHZ
SecAuditLogFormat JSON
SecAuditLogType Serial
SecAction "id:900000,phase:1,nolog,pass,t:none,setvar:tx.paranoia_level=${paranoia}"`,
  isEveryHost: true,
})

export class ModSecurity {
  readonly port: number
  readonly pid: number
  private readonly folder: string
  private readonly child: ChildProcess

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port
    this.pid = child.pid!
    this.folder = folder
    this.child = child
  }

  static async start(originPort: number, options: Options): Promise<ModSecurity> {
    const { settings, isEveryHost } = options
    const folder = mkdtempSync(join(tmpdir(), 'bw-modsecurity-'))
    const port = await freePort()
    const proxy = `location / { proxy_pass http://127.0.0.1:${originPort}; }`
    const watched = `modsecurity on; modsecurity_rules_file ${folder}/rules.conf; ${proxy}`
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    writeFileSync(
      join(folder, 'rules.conf'),
      rulesFor({ ...options, settings: `SecAuditLog ${folder}/audit.log\n${settings}` }),
    )
    writeFileSync(
      join(folder, 'nginx.conf'),
      `load_module ${module};
daemon off; worker_processes 1; pid ${folder}/pid; pcre_jit on; user root;
events {} http { access_log off; ${temporary.join(' ')} client_body_buffer_size 128k; keepalive_requests 1000000;
large_client_header_buffers 8 64k;
server { listen 127.0.0.1:${port} default_server; ${isEveryHost ? watched : proxy} }
server { listen 127.0.0.1:${port}; server_name ${watchedHost}; ${watched} } }`,
    )
    const words = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')]
    const child = spawn('nginx', words, { stdio: 'inherit' })
    await until('nginx with ModSecurity', () => {
      if (child.exitCode !== null) throw new Error('nginx with ModSecurity does not start')
      return fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    })
    return new ModSecurity(port, folder, child)
  }

  /** The rules that matched, by client address, for the requests that it has logged. */
  matches(): Map<string, number[]> {
    const lines = readFileSync(join(this.folder, 'audit.log'), 'utf8').split('\n')
    const whole = lines.filter((line) => line.startsWith('{') && line.endsWith('}'))
    return new Map(
      whole.map((line) => {
        const { client_ip: address, messages } = (JSON.parse(line) as Audited).transaction
        return [address, messages.map(({ details }) => Number(details.ruleId))]
      }),
    )
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve))
    this.child.kill()
    await ended
    rmSync(this.folder, { recursive: true, force: true })
  }
}

type Audited = { transaction: { client_ip: string; messages: { details: { ruleId: string } }[] } }
