/**
 * Which autonomous system (network) an address belongs to, as one file that nginx maps into memory: 16 bytes of header
 * (`BWASNET1`, how many of the IPv4 and IPv6 places are used, as u32), then 2^20 starts of IPv4 as u32 and their numbers as
 * u32, then 2^18 starts of IPv6 (the first 48 bits) as f64 and their numbers as u32. A place holds until the next one; the
 * number 0 is no network. Places that are not used begin behind all addresses, so that a search takes the same steps always.
 * Little-endian.
 */
const magic = 'BWASNET1'
const headerBytes = 16
const v4Places = 2 ** 20
const v6Places = 2 ** 18

/** First and last address of a network, and its number. Of IPv6 the first 48 bits. */
export type Network = { from: number; to: number; asn: number }

/** Where each network begins, and nothing again behind it. Networks are sorted and do not overlap. */
export function placesOf(networks: readonly Network[]): { start: number; asn: number }[] {
  const places: { start: number; asn: number }[] = [{ start: 0, asn: 0 }]
  let end = 0
  for (const { from, to, asn } of networks) {
    // What is finer than the first 48 bits belongs to who has their beginning.
    if (from < end || to < from) continue
    if (from > end) places.push({ start: end, asn: 0 })
    places.push({ start: from, asn })
    end = to + 1
  }
  places.push({ start: end, asn: 0 })
  const last = new Map(places.map((place) => [place.start, place]))
  return [...last.values()].filter((place, at, all) => at === 0 || place.asn !== all[at - 1]?.asn)
}

export function encodeNetworks(v4: readonly Network[], v6: readonly Network[]): Uint8Array {
  const [of4, of6] = [placesOf(v4), placesOf(v6)]
  if (of4.length > v4Places || of6.length > v6Places) throw new RangeError('more networks than the file has places')
  const bytes = new Uint8Array(headerBytes + v4Places * 8 + v6Places * 12)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(magic))
  view.setUint32(8, of4.length, true)
  view.setUint32(12, of6.length, true)
  const v6At = headerBytes + v4Places * 8
  for (let i = 0; i < v4Places; i++) {
    view.setUint32(headerBytes + i * 4, Math.min(of4[i]?.start ?? 2 ** 32, 2 ** 32 - 1), true)
    view.setUint32(headerBytes + (v4Places + i) * 4, of4[i]?.asn ?? 0, true)
  }
  for (let i = 0; i < v6Places; i++) {
    view.setFloat64(v6At + i * 8, of6[i]?.start ?? 2 ** 48, true)
    view.setUint32(v6At + v6Places * 8 + i * 4, of6[i]?.asn ?? 0, true)
  }
  return bytes
}

/** What each network of such lists is called, by its number, as lines of both with a tab between, in the order of numbers. */
export function namesOf(...lists: readonly string[]): string {
  const names = new Map<number, string>()
  for (const line of lists.flatMap((csv) => csv.split('\n'))) {
    const [, asn, name] = /^\d+,\d+,(\d+),(.+)$/.exec(line.trimEnd()) ?? []
    if (asn !== undefined && name !== undefined && !names.has(Number(asn))) names.set(Number(asn), unquoted(name))
  }
  return [...names]
    .sort(([a], [b]) => a - b)
    .map(([asn, name]) => `${asn}\t${name}\n`)
    .join('')
}

const unquoted = (text: string): string =>
  (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text).replaceAll('\t', ' ')

/** The networks of a list: lines of first address, last address and number, addresses as whole numbers of their family. */
export function readNetworks(csv: string, family: 4 | 6): Network[] {
  const short = (text: string) => (family === 4 ? Number(text) : Number(BigInt(text) >> 80n))
  return csv
    .split('\n')
    .map((line) => line.split(',', 3))
    .flatMap(([from = '', to = '', asn = '']) =>
      /^\d+$/.test(from) && /^\d+$/.test(to) ? [{ from: short(from), to: short(to), asn: Number(asn) }] : [],
    )
    .sort((a, b) => a.from - b.from)
}
