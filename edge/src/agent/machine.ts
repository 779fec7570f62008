/** Facts about the machine: processors, memory, disk, network. Read on demand, mostly from Linux's /proc. */
import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, loadavg, networkInterfaces, uptime } from 'node:os'

type Reading = { at: number; busy: number; total: number; bytesIn: number; bytesOut: number }

export type Machine = {
  /** Of all interfaces, without loopback and link-local addresses. */
  addresses: string[]
  cpuCount: number
  load1: number
  cpuBusy: number
  memoryBytes: number
  memoryUsedBytes: number
  diskBytes: number
  diskUsedBytes: number
  uptimeSeconds: number
  networkInBytesPerSecond: number
  networkOutBytesPerSecond: number
}

/** On a machine with more of them (of containers, for example) the addresses are configured by hand. */
const addressesMax = 64

const numbers = (text: string) => text.trim().split(/\s+/).map(Number)

/** Addresses at which other machines may reach this one; IPv4 first. */
export function readAddresses(interfaces = networkInterfaces()): string[] {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  const outside = all.filter(({ internal, address }) => !internal && !/^(fe[89ab]|169\.254\.)/i.test(address))
  const own = outside.sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address)
  return [...new Set(own)].slice(0, addressesMax)
}

/** Busy ticks of the processors, and all ticks, since the machine started. */
export function parseStat(text: string): { busy: number; total: number } {
  const ticks = numbers((text.split('\n')[0] ?? '').replace(/^cpu\s+/, '')).slice(0, 8)
  const total = ticks.reduce((sum, value) => sum + value, 0)
  // The fourth field is idle time, the fifth is I/O wait.
  return { busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0), total }
}

/** Bytes received and sent by all interfaces except loopback. */
export function parseNetwork(text: string): { bytesIn: number; bytesOut: number } {
  const sums = { bytesIn: 0, bytesOut: 0 }
  for (const line of text.split('\n').slice(2)) {
    const [name, rest] = line.split(':')
    if (!rest || name?.trim() === 'lo') continue
    const fields = numbers(rest)
    sums.bytesIn += fields[0] ?? 0
    sums.bytesOut += fields[8] ?? 0
  }
  return sums
}

/** Total and used bytes; memory that the kernel can reclaim at once does not count as used. */
export function parseMemory(text: string): { total: number; used: number } {
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024
  const total = field('MemTotal')
  return { total, used: total - field('MemAvailable') }
}

/** Reads the machine; rates are measured since the previous reading. */
export function machineReader(folder: string): () => Machine {
  let last: Reading | undefined
  return () => {
    const cpu = parseStat(readFileSync('/proc/stat', 'utf8'))
    const network = parseNetwork(readFileSync('/proc/net/dev', 'utf8'))
    const memory = parseMemory(readFileSync('/proc/meminfo', 'utf8'))
    const disk = statfsSync(folder)
    const now: Reading = { at: Date.now(), ...cpu, ...network }
    const before = last ?? now
    last = now
    const seconds = (now.at - before.at) / 1000
    const perSecond = (amount: number) => (seconds > 0 ? Math.max(0, amount / seconds) : 0)
    const ticks = now.total - before.total
    return {
      addresses: readAddresses(),
      cpuCount: availableParallelism(),
      load1: loadavg()[0] ?? 0,
      cpuBusy: ticks > 0 ? Math.min(1, Math.max(0, (now.busy - before.busy) / ticks)) : 0,
      memoryBytes: memory.total,
      memoryUsedBytes: memory.used,
      diskBytes: disk.blocks * disk.bsize,
      diskUsedBytes: (disk.blocks - disk.bfree) * disk.bsize,
      uptimeSeconds: uptime(),
      networkInBytesPerSecond: perSecond(now.bytesIn - before.bytesIn),
      networkOutBytesPerSecond: perSecond(now.bytesOut - before.bytesOut),
    }
  }
}
