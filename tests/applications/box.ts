/** A node with applications behind it, each as a site of its own; and how much of a test is run. */
import type { SiteFacts } from '../../edge/box/disk.ts'
import { Box } from '../../edge/box/harness.ts'
import { isHttp3Here } from '../../edge/box/http3.ts'
import type { Version } from '../../edge/box/transparent/ask.ts'
import { everything } from '../harness/everything.ts'
import { Recorder } from './recorder.ts'

/** `script/test --all` asks for the long forms. */
export const isLong = everything

/** The short form asks over HTTP/2, which has more of its own than HTTP/1.1; both over HTTP/3 where there is one. */
export const versionsAsked: Version[] = [
  ...(isLong ? (['1.1', '2'] as const) : (['2'] as const)),
  ...inHttp3<Version>('3'),
]

/** What is listed only where nginx and curl speak HTTP/3. */
export function inHttp3<T>(...values: T[]): T[] {
  return isHttp3Here ? values : []
}

/** What is listed in the long form only. */
export const inLong = <T>(...values: T[]): T[] => (isLong ? values : [])

/** An application under test. */
export type Application = { port: number; end: () => Promise<void> | void }

export class Place {
  readonly box: Box
  private sites = 0
  private readonly recorders: Recorder[] = []

  private constructor(box: Box) {
    this.box = box
  }

  static async start(): Promise<Place> {
    return new Place(await Box.start({ http3: isHttp3Here }))
  }

  /** Makes a site of an application and the two ways to it. */
  async site(
    host: string,
    version: Version,
    port: number,
    facts: SiteFacts = {},
  ): Promise<{ direct: Recorder; edge: Recorder }> {
    this.sites += 1
    const entry = this.box.disk.site({ ...facts, site: this.sites, hosts: [host], origins: [{ port }] })
    await this.box.control('POST', '/apply', { entries: [entry] })
    const direct = await this.way('direct', host, version, port)
    return { direct, edge: await this.way('edge', host, version, port) }
  }

  /** A straight way to another instance that believes to be the same site. */
  async way(way: 'direct' | 'edge', host: string, version: Version, port: number): Promise<Recorder> {
    const recorder = await Recorder.start({ box: this.box, way, version, host, application: port })
    this.recorders.push(recorder)
    return recorder
  }

  async end(): Promise<void> {
    for (const recorder of this.recorders) await recorder.end()
    await this.box.end()
  }
}
