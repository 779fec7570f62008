/** TLS handshakes, and the nginx with one static certificate that they are compared with. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { until } from '../../../edge/box/harness.ts'
import { freePort } from '../../../tests/harness/ports.ts'

/** One full TLS 1.3 handshake for a name, without a request. */
export const shakeHands = (port: number, servername: string) =>
  new Promise<void>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', servername, rejectUnauthorized: false, minVersion: 'TLSv1.3' as const }
    const socket = connect(options, () => socket.destroy())
    socket.on('error', reject).on('close', () => resolve())
  })

/** The same nginx with one static certificate and none of our code. */
export async function startStatic({
  chain,
  key,
}: {
  chain: string
  key: string
}): Promise<{ port: number; child: ChildProcess; end: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  const port = await freePort()
  writeFileSync(join(folder, 'crt'), chain)
  writeFileSync(join(folder, 'key'), key)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log warn; worker_processes 1; events {}
     http { access_log off; server { listen 127.0.0.1:${port} ssl; ssl_protocols TLSv1.2 TLSv1.3; ssl_session_tickets off;
     ssl_certificate ${folder}/crt; ssl_certificate_key ${folder}/key; return 200; } }`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], { stdio: 'inherit' })
  await until('the static nginx', () =>
    shakeHands(port, 'a.test').then(
      () => true,
      () => false,
    ),
  )
  return {
    port,
    child,
    end: () => {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
