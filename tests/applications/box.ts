/** A node with applications behind it, each as a site of its own; and how much of a test is run. */
import type { SiteFacts } from '../../edge/box/disk.ts'
import { Box } from '../../edge/box/harness.ts'
import { isHttp3Here } from '../../edge/box/http3.ts'
import type { Version } from '../../edge/box/transparent/ask.ts'
import { everything } from '../harness/everything.ts'
import { Recorder } from './recorder.ts'

/** `script/test --all` selects the long forms. */
export const isLong = everything

/** The short form uses HTTP/2, which differs more than HTTP/1.1; both forms use HTTP/3 where it is available. */
export const versionsAsked: Version[] = [
  ...(isLong ? (['1.1', '2'] as const) : (['2'] as const)),
  ...inHttp3<Version>('3'),
]

/** Values that are included only where nginx and curl support HTTP/3. */
export function inHttp3<T>(...values: T[]): T[] {
  return isHttp3Here ? values : []
}

/** Values that are included only in the long form. */
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

  /** Makes a site for an application and the two ways to it. */
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

  /** A direct way to another instance that believes that it is the same site. */
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
