/** The agent: pull → check → apply, run tasks, ship events, report health. */
import { brokenSites } from './broken.ts'
import { collector } from './collect.ts'
import { type ControlPlane, connectControlPlane, Refused } from './control-plane.ts'
import { enrol, sealKey, tlsKey } from './enrol.ts'
import { openFeedLog } from './feed-log.ts'
import { follow } from './follow.ts'
import { spoolGuard } from './guard-spool.ts'
import { healthReader } from './health.ts'
import type { Identity } from './identity.ts'
import type { Layout, WorkerUser } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { connectNginx, type Nginx } from './nginx.ts'
import { reloadIfStale, removeStaleSockets, writeNginxConf } from './nginx-conf.ts'
import { nginxFacts } from './nginx-facts.ts'
import { nodeSettings } from './node-settings.ts'
import { objectStore } from './objects.ts'
import { openPurgeLog } from './purge-log.ts'
import { keepCertificate } from './renew.ts'
import { reporter } from './report.ts'
import { backoff, type Doorbell, doorbell, fullJitter, pause } from './retry.ts'
import { type Secrets, secretStore } from './secrets.ts'
import { segmentedLog } from './segments.ts'
import type { Settings } from './settings.ts'
import { openShipper } from './ship.ts'
import { openCounterShipper } from './ship-counters.ts'
import { readState } from './state.ts'
import { listen } from './stream.ts'
import { openTasks, type Tasks } from './tasks.ts'

const GROUP_KEY = { site: 0, ref: 'groupKey@1' }
const TASKS_POLL_MS = 60_000
const TEND_MS = 1000

/** Runs until the signal is aborted. */
export async function runAgent(
  settings: Settings,
  layout: Layout,
  user: WorkerUser | undefined,
  signal: AbortSignal,
): Promise<void> {
  const identity = await enrol(settings, layout)
  // Who the node is stands in nginx.conf: its first rendering, before the enrolment, did not know.
  await writeNginxConf(layout, await nodeSettings(settings, identity, user, false), settings.nginx)
  const plane = await connect(settings, layout, identity)
  const nginx = connectNginx(layout)
  const secrets = secretStore(layout, await sealKey(layout))
  const objects = objectStore(layout)
  const feedLog = await openFeedLog(layout)
  const state = await readState(layout)
  const facts = await nginxFacts(settings.nginx, settings.modulesFolder)
  const serves = (site: number) => feedLog.held.has(site)
  const requests = segmentedLog(layout.spool, 'requests')
  const shipper = await openShipper(layout, plane, identity.nodeId, requests, serves)
  const counters = await openCounterShipper(
    layout,
    plane,
    identity.nodeId,
    segmentedLog(layout.spool, 'counters'),
    serves,
  )
  const spool = spoolGuard(layout.spool, settings.spool, requests, shipper, nginx)
  const broken = brokenSites()
  const waiting = () => ({ spoolBytes: spool.bytes(), droppedRows: shipper.droppedRows() })
  const health = healthReader(settings, nginx, facts, waiting, broken)
  const reports = reporter(plane, state, health)
  const tasks = await openTasks(layout, identity, plane, nginx, await openPurgeLog(layout))
  const collect = collector(feedLog, objects, secrets)
  const bells = { feed: doorbell(), tasks: doorbell() }
  const { schema } = settings
  const parts = {
    layout,
    identity,
    plane,
    nginx,
    objects,
    secrets,
    feedLog,
    state,
    schema,
    collect,
    broken,
    reporter: reports,
  }
  log.info('the agent runs', { node: identity.nodeId, group: identity.groupId, watermark: state.watermark })
  await Promise.all([
    listen(plane, { feed: () => bells.feed.ring(), tasks: () => bells.tasks.ring() }, signal),
    follow(parts, bells.feed, signal),
    runTasks(tasks, bells.tasks, signal),
    reports.run(signal),
    shipper.run(signal),
    counters.run(signal),
    spool.run(signal),
    keepCertificate(layout, identity, plane, signal),
    bringGroupKey(secrets, plane, nginx, signal),
    tendNginx(layout, nginx, signal),
  ])
  plane.close()
}

async function connect(settings: Settings, layout: Layout, identity: Identity): Promise<ControlPlane> {
  if (!settings.server) throw new Error('BREAKWATER_SERVER is not set')
  return connectControlPlane(settings.server, {
    authority: settings.serverCa ?? identity.authority,
    certificate: identity.certificate,
    key: (await tlsKey(layout)).export({ type: 'pkcs8', format: 'pem' }).toString(),
  })
}

/** The root of challenge cookies and references; nginx reads it when it first needs it. */
async function bringGroupKey(secrets: Secrets, plane: ControlPlane, nginx: Nginx, signal: AbortSignal): Promise<void> {
  const waits = backoff(1000, 60_000)
  const bell = doorbell()
  while (!signal.aborted) {
    let reason: string | undefined
    try {
      reason = (await secrets.fetch([GROUP_KEY], plane)).values().next().value
    } catch (error) {
      reason = reasonOf(error)
    }
    if (reason === undefined) {
      // Has nginx look again; where it is away it looks when it starts.
      await nginx.apply([]).catch(() => {})
      return
    }
    log.warn('the key of the group is not here yet', { reason })
    await bell.wait(waits.failed(), signal)
  }
}

/** nginx is started by somebody else, at any time. */
async function tendNginx(layout: Layout, nginx: Nginx, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      if (nginx.master() === undefined) await removeStaleSockets(layout)
      else await reloadIfStale(layout, nginx)
    } catch (error) {
      log.warn('cannot look after nginx', { reason: reasonOf(error) })
    }
    await pause(TEND_MS, signal)
  }
}

async function runTasks(tasks: Tasks, bell: Doorbell, signal: AbortSignal): Promise<void> {
  const waits = backoff(500, 30_000)
  while (!signal.aborted) {
    let waitMs = TASKS_POLL_MS / 2 + fullJitter(0, TASKS_POLL_MS / 2, TASKS_POLL_MS)
    try {
      await tasks.run()
      waits.succeeded()
    } catch (error) {
      waitMs = waits.failed() + (error instanceof Refused ? error.retryAfterMs : 0)
      log.warn('tasks are not done yet', { reason: reasonOf(error) })
    }
    await bell.wait(waitMs, signal)
  }
}
