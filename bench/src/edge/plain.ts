/** What the edge is compared with: the same nginx with its own cache and its usual log, and none of our code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../edge/box/harness.ts'
import { freePort } from '../../../tests/harness/ports.ts'
import { workersOf } from './workers.ts'

/**
 * Configured as its Debian package does, or as the edge does: buffering and logging, with a log row of the same kind
 * per request.
 */
export type Likeness = 'package' | 'edge'

const settings = (folder: string): Record<Likeness, string> => ({
  package: `sendfile on;
  tcp_nopush on;
  access_log ${folder}/access.log combined buffer=64k flush=1s;`,
  edge: `sendfile off;
  output_buffers 1 128k;
  open_file_cache max=4096 inactive=20s;
  open_file_cache_valid 60s;
  open_file_cache_min_uses 2;
  log_format row escape=json '{"time":$msec,"node":1,"zone":1,"site":1,"domain":"$host","address":"$remote_addr","method":"$request_method","scheme":"$scheme","httpVersion":"$server_protocol","path":"$uri","query":"$args","status":$status,"cache":"$upstream_cache_status","bytesSent":$bytes_sent,"bytesReceived":$request_length,"requestTime":$request_time,"referer":"$http_referer","userAgent":"$http_user_agent","contentType":"$sent_http_content_type"}';
  access_log ${folder}/access.log row buffer=64k flush=1s;`,
})

const conf = (folder: string, port: number, originPort: number, user: string, like: Likeness) => `
${user}
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
worker_processes 1;
events { worker_connections 8192; }
http {
  client_body_temp_path ${folder}/tmp; proxy_temp_path ${folder}/tmp; fastcgi_temp_path ${folder}/tmp;
  uwsgi_temp_path ${folder}/tmp; scgi_temp_path ${folder}/tmp;
  keepalive_requests 10000;
  ${settings(folder)[like]}
  proxy_cache_path ${folder}/cache levels=1:2 keys_zone=objects:64m max_size=4g inactive=1d use_temp_path=off;
  upstream origin { server 127.0.0.1:${originPort}; keepalive 32; }
  server {
    listen ${port} default_server;
    location / {
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_cache objects;
      proxy_cache_key $scheme$host$request_uri;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}`

/** The user that Debian's nginx runs as. */
function idOf(name: string) {
  const [, , uid, gid] = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))!
    .split(':')
  return { name, uid: Number(uid), gid: Number(gid) }
}

/** nginx with its cache on, and none of our code. */
export class PlainNginx {
  readonly port: number
  readonly folder: string
  private readonly child: ChildProcess

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port
    this.folder = folder
    this.child = child
  }

  static async start(originPort: number, like: Likeness = 'package'): Promise<PlainNginx> {
    const user = process.getuid?.() === 0 ? idOf('www-data') : undefined
    const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
    for (const name of ['', 'tmp', 'cache']) {
      mkdirSync(join(folder, name), { recursive: true })
      if (user) chownSync(join(folder, name), user.uid, user.gid)
    }
    const port = await freePort()
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, conf(folder, port, originPort, user ? `user ${user.name};` : '', like))
    const child = spawn('nginx', ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], { stdio: 'inherit' })
    await until('the plain nginx', () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    )
    return new PlainNginx(port, folder, child)
  }

  workers(): number[] {
    return workersOf(this.child.pid!)
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve))
    this.child.kill('SIGTERM')
    await ended
    rmSync(this.folder, { recursive: true, force: true })
  }
}
