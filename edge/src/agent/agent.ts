/** The agent: pull → check → apply, run tasks, upload events, report health. */
import { EdgeTotals } from '@breakwater/contract/edge/metrics.ts'
import type { ReportReply } from '@breakwater/contract/edge/node-api.ts'
import { openBegunBans } from './begun-bans.ts'
import { brokenSites } from './broken-sites.ts'
import { type Configure, configurer } from './configure.ts'
import { type ControlPlane, connectControlPlane, Refused } from './control-plane.ts'
import { enrol, sealKey, tlsKey } from './enrol.ts'
import { openFeedLog } from './feed-log.ts'
import { syncFeed } from './feed-sync.ts'
import { garbageCollector } from './garbage-collect.ts'
import { healthReader } from './health.ts'
import { openHeldBans } from './held-bans.ts'
import { type Identity, learnAddresses } from './identity.ts'
import { kernelBans, mayDrop } from './kernel-bans.ts'
import type { Layout, WorkerUser } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { nodeMetrics, serveMetrics } from './metrics.ts'
import { nft } from './nft.ts'
import { connectNginx, type Nginx } from './nginx.ts'
import { reloadIfStale, removeStaleSockets } from './nginx-conf.ts'
import { capabilitiesOf, nginxFacts } from './nginx-facts.ts'
import { luaFolder, nodeSettings } from './node-settings.ts'
import { objectStore } from './objects.ts'
import { prefilterKeeper } from './prefilters.ts'
import { openPreheats } from './preheat.ts'
import { openPurgeLog } from './purge-log.ts'
import { keepCertificate } from './renew.ts'
import { reporter } from './report.ts'
import { backoff, type Doorbell, doorbell, everySecond, fullJitter, pause } from './retry.ts'
import { type Secrets, secretStore } from './secrets.ts'
import { segmentedLog } from './segments.ts'
import type { Settings } from './settings.ts'
import { spoolQuota } from './spool-quota.ts'
import { noteCapabilities, readState } from './state.ts'
import { listen } from './stream.ts'
import { syncBans } from './sync-bans.ts'
import { syncReputation } from './sync-reputation.ts'
import { syncTallies } from './sync-tallies.ts'
import { openTasks, type Tasks } from './tasks.ts'
import { openCounterUpload } from './upload-counters.ts'
import { openEventUpload } from './upload-events.ts'
import { lookers } from './upload-pace.ts'
import { botChecks } from './verify-bots.ts'

const GROUP_KEY = { site: 0, ref: 'groupKey@1' }
const TASKS_POLL_MS = 60_000
const ADDRESSES_MS = 60_000

/** Runs until the signal is aborted. */
export async function runAgent(
  settings: Settings,
  layout: Layout,
  user: WorkerUser | undefined,
  signal: AbortSignal,
): Promise<void> {
  const identity = await enrol(settings, layout)
  const plane = await connect(settings, layout, identity)
  const { nodeId: node, zoneId: zone, groupId: group } = identity
  const nginx = connectNginx(layout, { node, zone, group })
  const secrets = secretStore(layout, await sealKey(layout))
  const objects = objectStore(layout)
  const spoolLimits = { ...settings.spool }
  const facts = await nginxFacts(settings.nginx, settings.modulesFolder)
  const mayDropPackets = await mayDrop(settings, nft)
  if (mayDropPackets) facts.capabilities.push('kernelBans')
  const held = await openHeldBans(layout, nginx)
  const kernel = await kernelBans(settings, layout, held, nft, mayDropPackets)
  const bots = botChecks(nginx)
  const configure = await configurer({
    ...{ layout, nodeId: identity.nodeId, nginx, program: settings.nginx, source: { plane, objects } },
    settingsOf: (configuration) =>
      nodeSettings(settings, identity, layout, user, false, configuration, facts.capabilities),
    changed(configuration) {
      kernel.configure(configuration)
      bots.configure(configuration)
      spoolLimits.quotaBytes = configuration?.nodes[identity.nodeId]?.spoolBytes || settings.spool.quotaBytes
    },
  })
  // nginx.conf contains the node's identity, which was unknown when it was first rendered, before the enrolment.
  await configure.refresh()
  const feedLog = await openFeedLog(layout)
  const state = await readState(layout)
  noteCapabilities(state, capabilitiesOf(facts))
  const serves = (site: number) => feedLog.held.has(site)
  const requests = segmentedLog(layout.spool, 'requests')
  const bells = { feed: doorbell(), tasks: doorbell(), bans: doorbell() }
  const looking = lookers()
  const eventUpload = await openEventUpload(layout, plane, identity.nodeId, requests, spoolLimits, looking, serves)
  const totals = new EdgeTotals()
  const counters = await openCounterUpload(
    layout,
    plane,
    identity.nodeId,
    segmentedLog(layout.spool, 'counters'),
    looking,
    serves,
    totals,
  )
  const spool = spoolQuota(layout.spool, spoolLimits, requests, eventUpload, nginx)
  const broken = brokenSites()
  const waiting = () => {
    const eventsUntil = eventUpload.until()
    const countersUntil = counters.until()
    const reached = {
      ...(eventsUntil === undefined ? {} : { eventsUntil }),
      ...(countersUntil === undefined ? {} : { countersUntil }),
    }
    return { spoolBytes: spool.bytes(), droppedRows: eventUpload.droppedRows(), ...reached }
  }
  const { nginx: program, modulesFolder } = settings
  const prefilters = prefilterKeeper({ program, modulesFolder, luaFolder }, layout)
  const health = healthReader(settings, nginx, facts, waiting, broken, prefilters, kernel)
  const learn = (reply: ReportReply) => learnAddresses(layout, identity, reply.publicAddresses)
  const reports = reporter(plane, state, health, learn, prefilters.problem)
  const preheats = await openPreheats(layout, { http: settings.httpPort, https: settings.httpsPort })
  const tasks = await openTasks(layout, identity, plane, nginx, await openPurgeLog(layout), preheats)
  const garbageCollect = garbageCollector(feedLog, objects, secrets, configure.objects)
  const begun = await openBegunBans(layout, segmentedLog(layout.spool, 'bans'), plane, held)
  const bans = { identity, plane, held, begun, spare: kernel.spare, served: () => feedLog.held.keys() }
  const parts = {
    layout,
    identity,
    plane,
    nginx,
    configure,
    objects,
    secrets,
    feedLog,
    state,
    garbageCollect,
    broken,
    reporter: reports,
  }
  const fetchKey = () => fetchGroupKey(secrets, plane)
  const firstKey = fetchKey()
  log.info('the agent runs', { node: identity.nodeId, group: identity.groupId, watermark: state.watermark })
  await Promise.all([
    listen(
      plane,
      { feed: bells.feed.ring, tasks: bells.tasks.ring, bans: bells.bans.ring, rows: looking.ring },
      signal,
    ),
    // The key must be here before the first sites: a reference sealed with another key could not be explained.
    firstKey.then(() => syncFeed(parts, bells.feed, signal)),
    runTasks(tasks, bells.tasks, signal),
    syncBans(bans, bells.bans, signal),
    kernel.run(signal),
    bots.run(signal),
    syncReputation({ layout, identity, plane, nginx }, signal),
    syncTallies({ nginx, plane }, signal),
    preheats.run(async (receipts) => {
      await tasks.keep(receipts)
      bells.tasks.ring()
    }, signal),
    reports.run(signal),
    eventUpload.run(signal),
    counters.run(signal),
    serveMetrics(settings.metricsPort, () => nodeMetrics(settings.nodeName, nginx, totals), signal),
    spool.run(signal),
    keepCertificate(layout, identity, plane, signal),
    firstKey.then((reason) => keepFetchingGroupKey(reason, fetchKey, nginx, signal)),
    watchNginx(layout, nginx, signal),
    watchAddresses(configure, signal),
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

/**
 * Fetches the key from which challenge cookies and references are derived; nginx reads it on first use. Returns why
 * it cannot be fetched yet, or undefined.
 */
async function fetchGroupKey(secrets: Secrets, plane: ControlPlane): Promise<string | undefined> {
  try {
    return (await secrets.fetch([GROUP_KEY], plane)).values().next().value
  } catch (error) {
    return reasonOf(error)
  }
}

/** Retries until the key is here. */
async function keepFetchingGroupKey(
  first: string | undefined,
  fetchKey: () => Promise<string | undefined>,
  nginx: Nginx,
  signal: AbortSignal,
): Promise<void> {
  const waits = backoff(1000, 60_000)
  for (let reason = first; reason !== undefined && !signal.aborted; reason = await fetchKey()) {
    log.warn('the key of the group is not here yet', { reason })
    await pause(waits.failed(), signal)
  }
  // Makes nginx look for the key again. If nginx is down, it looks when it starts.
  if (!signal.aborted) await nginx.apply([]).catch(() => {})
}

/** The agent does not start nginx: it may be started or stopped at any time. */
async function watchNginx(layout: Layout, nginx: Nginx, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await reloadIfStale(layout, nginx))) await removeStaleSockets(layout)
    } catch (error) {
      log.warn('cannot look after nginx', { reason: reasonOf(error) })
    }
    await pause(everySecond, signal)
  }
}

/** Blocks an address that the machine gets later as an origin, within a minute. Writes nginx.conf only on a change. */
async function watchAddresses(configure: Configure, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(ADDRESSES_MS, signal)
    if (signal.aborted) return
    try {
      await configure.refresh()
    } catch (error) {
      log.warn('cannot look at the addresses of this machine', { reason: reasonOf(error) })
    }
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
