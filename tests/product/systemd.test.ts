/**
 * The units under a real systemd: a missing system call, folder or capability that they deny shows up here first. Runs
 * with `script/test --all tests/product/systemd`, as root.
 */
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../harness/api.ts'
import { everything } from '../harness/everything.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { freePorts } from '../harness/ports.ts'
import { productPassword } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { hasSystemd, type SystemdMachine, startSystemd } from '../harness/systemd.ts'
import { until } from '../harness/until.ts'

const unit = test.skipIf(!everything || !hasSystemd)

let machine: SystemdMachine
let origin: Origin
let url: string
let edgePort: number
let nodeEdgePort: number
let shop: Shop
const accounts = { vendor: 'vendor', operator: 'operator', customer: 'customer', password: productPassword }

/** A port that requires root or the capability to bind. */
async function lowPort(from: number): Promise<number> {
  const isFree = await new Promise<boolean>((done) => {
    const server = createServer().once('error', () => done(false))
    server.listen(from, () => server.close(() => done(true)))
  })
  return isFree ? from : lowPort(from + 1)
}

beforeAll(async () => {
  if (!everything || !hasSystemd) return
  const [port, nodePort, tlsPort, nodeTlsPort] = await freePorts(4)
  edgePort = await lowPort(80)
  nodeEdgePort = await lowPort(edgePort + 1)
  url = `http://127.0.0.1:${port}`
  ;[machine, origin] = await Promise.all([startSystemd(), startOrigin()])
  const settings = {
    ...{ PORT: port, NODE_PORT: nodePort, EDGE_HTTP_PORT: edgePort, EDGE_HTTPS_PORT: tlsPort },
    ...{ BREAKWATER_FIRST_PASSWORD: productPassword, BREAKWATER_ALLOW_ORIGINS: '127.0.0.0/8' },
    ...{ BREAKWATER_ALLOW_UNPATCHED: 'yes', BREAKWATER_SERVER_NAMES: '127.0.0.1' },
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  await machine.must(`cat >/etc/breakwater.env <<'END'\n${lines.join('\n')}\nEND`)
  await machine.must(`cat >/root/node.env <<'END'
export EDGE_HTTP_PORT=${nodeEdgePort} EDGE_HTTPS_PORT=${nodeTlsPort}
export BREAKWATER_ALLOW_UNPATCHED=yes BREAKWATER_KERNEL_BANS=no
END`)
}, 120_000)

afterAll(async () => {
  await machine?.stop()
  await origin?.stop()
}, 120_000)

const property = async (service: string, name: string) =>
  (await machine.must(`systemctl show ${service} --property ${name} --value`)).trim()
const serves = () => until('the product to serve', async () => (await fetch(`${url}/health`)).ok, 120_000)
const hello = async (path: string, port = edgePort) => (await shop.visit(path, {}, { port })).status

unit(
  'the product is installed as the unit says, and serves',
  async () => {
    const [user] = /^# {3}(useradd .+)$/m
      .exec(await machine.must('cat /opt/breakwater/deploy/systemd/breakwater.service'))!
      .slice(1)
    await machine.must(`${user} && cp /opt/breakwater/deploy/systemd/breakwater.service /etc/systemd/system/`)
    await machine.must('systemctl daemon-reload && systemctl start breakwater')
    await serves()
    shop = await openShop({ url, edgePort, accounts }, origin.port)
    expect(await hello('/hello')).toBe(200)
  },
  240_000,
)

unit(
  'the prefilter of the WAF is compiled, and passwords are tried behind the workers',
  async () => {
    const { ids } = await shop.change('POST', `${shop.of}/module/wafs`, {
      modules: [{ name: 'attacks', mode: 'enforce', paranoia: 1 }],
    })
    const [domain] = await shop.change('GET', `${shop.of}/domains`)
    await shop.change('PUT', `${shop.of}/domains/module/waf`, { domainIDs: [domain.id], moduleID: ids[0] })
    const { id: group } = await shop.change('POST', `${shop.of}/auth/group`, { name: 'staff', type: 'basic', memo: '' })
    const user = { username: 'alice', password: 'first pass word' }
    await shop.change('POST', `${shop.of}/auth/group/${group}/basicAuth`, user)
    const rule = { domainIDs: [domain.id], urlRegex: '^/staff/', type: 'basic', groupID: group }
    await shop.change('POST', `${shop.of}/auth/rule`, rule)
    await shop.live()
    expect(await hello('/search?q=%27+or+1%3D1+--+')).toBe(403)
    const authorization = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`
    expect((await shop.visit('/staff/x', { authorization })).status).toBe(200)
    const niced = await machine.must('ps -eL -o comm,ni | grep -c "^nginx *15$"')
    expect(Number(niced)).toBeGreaterThan(0)
    await until(
      'the prefilter',
      async () => (await machine.must('ls /var/lib/breakwater/node/prefilters')) !== '',
      120_000,
    )
  },
  240_000,
)

unit.each([
  ['killed', 'KILL'],
  ['handed over to the next release', 'USR2'],
])(
  'a supervisor that was %s is started again and goes on with what serves',
  async (_how, signal) => {
    const [before, restarts] = [await property('breakwater', 'MainPID'), await property('breakwater', 'NRestarts')]
    const nginx = await machine.must('cat /var/lib/breakwater/node/run/nginx.pid')
    await machine.must(`kill -s ${signal} ${before}`)
    expect(await hello('/while-it-is-away')).toBe(200)
    await until('the next supervisor', async () => !['0', before].includes(await property('breakwater', 'MainPID')))
    const next = await property('breakwater', 'MainPID')
    const holder = () => machine.must('cat /var/lib/breakwater/supervisor.pid')
    await until('it to hold the folder', async () => (await holder()).trim() === next)
    await serves()
    expect(await property('breakwater', 'NRestarts')).toBe(String(Number(restarts) + 1))
    expect(await machine.must('cat /var/lib/breakwater/node/run/nginx.pid')).toBe(nginx)
  },
  240_000,
)

unit(
  'one command makes a machine a node whose nginx serves while its agent is away',
  async () => {
    const operator = await signIn(url, 'client', accounts.operator, accounts.password)
    const zone = (await operator.call('GET', '/client/metaZones')).body.data[0].id
    const invited = await operator.call('POST', `/client/zone/${zone}/enrolToken`, { name: 'second' })
    const command: string = invited.body.data.command.replace('$(command -v sudo) bash', 'bash')
    await machine.must(`. /root/node.env; ${command}`)
    await until('the site on both nodes', async () => (await shop.change('GET', `${shop.of}/publish`)).live === 2)
    expect(await hello('/hello', nodeEdgePort)).toBe(200)
    expect(await hello('/search?q=%27+or+1%3D1+--+', nodeEdgePort)).toBe(403)
    await until(
      'the prefilter',
      async () => (await machine.must('ls /var/lib/breakwater-node/prefilters')) !== '',
      120_000,
    )
    await machine.must('systemctl stop breakwater-node-agent')
    expect(await hello('/hello', nodeEdgePort)).toBe(200)
    await machine.must('systemctl start breakwater-node-agent && systemctl restart breakwater-node-nginx')
    await until('nginx again', async () => (await hello('/hello', nodeEdgePort)) === 200)
    await machine.must('systemctl stop breakwater-node-agent breakwater-node-nginx')
    for (const service of ['breakwater-node-agent', 'breakwater-node-nginx'])
      expect(await property(service, 'Result')).toBe('success')
  },
  240_000,
)

unit(
  'systemctl stop leaves nothing running, and the next start has everything',
  async () => {
    await machine.must('systemctl stop breakwater')
    expect(await property('breakwater', 'Result')).toBe('success')
    expect((await machine.run('pgrep -u breakwater')).said).toBe('')
    await machine.must('systemctl start breakwater')
    await serves()
    await until('the site', async () => (await hello('/hello')) === 200)
  },
  240_000,
)
