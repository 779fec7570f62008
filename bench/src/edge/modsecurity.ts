/** Debian's nginx with its ModSecurity connector and the same Core Rule Set, in front of an origin. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../tests/harness/ports.ts'
import { workersOf } from './workers.ts'

const rules = `
SecRuleEngine On
SecRequestBodyAccess On
SecResponseBodyAccess Off
SecAuditEngine Off
SecRequestBodyLimit 1310720
SecRequestBodyNoFilesLimit 1310720
SecPcreMatchLimit 100000
SecPcreMatchLimitRecursion 100000
Include /etc/modsecurity/crs/crs-setup.conf
Include /usr/share/modsecurity-crs/rules/*.conf
`

export class ModSecurity {
  readonly port: number
  private readonly folder: string
  private readonly child: ChildProcess

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port
    this.folder = folder
    this.child = child
  }

  /** `on.test` is looked at by the rules, every other host by none. */
  static async start(originPort: number): Promise<ModSecurity> {
    const folder = mkdtempSync(join(tmpdir(), 'bw-modsecurity-'))
    const port = await freePort()
    const proxy = `location / { proxy_pass http://127.0.0.1:${originPort}; }`
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    writeFileSync(join(folder, 'rules.conf'), rules)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `load_module /usr/lib/nginx/modules/ngx_http_modsecurity_module.so;
daemon off; worker_processes 1; pid ${folder}/pid; pcre_jit on; user root;
events {} http { access_log off; ${temporary.join(' ')} client_body_buffer_size 128k; keepalive_requests 1000000;
server { listen 127.0.0.1:${port} default_server; ${proxy} }
server { listen 127.0.0.1:${port}; server_name on.test; modsecurity on; modsecurity_rules_file ${folder}/rules.conf; ${proxy} } }`,
    )
    const words = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')]
    const child = spawn('nginx', words, { stdio: 'inherit' })
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    while (!(await answers())) {
      if (child.exitCode !== null) throw new Error('nginx with ModSecurity does not start')
      await pause(100)
    }
    return new ModSecurity(port, folder, child)
  }

  workers(): number[] {
    return workersOf(this.child.pid!)
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve))
    this.child.kill()
    await ended
    rmSync(this.folder, { recursive: true, force: true })
  }
}
