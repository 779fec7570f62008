/**
 * The countries of a map: their shapes, and points for those that are too small for one. Heavy: loaded with the map.
 */
import { type GeoPermissibleObjects, geoEqualEarth, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import atlas from 'world-atlas/countries-110m.json'

export const mapSize = { width: 960, height: 452 }

/** A country to draw: its outline and the position of its tooltip. */
export type Shape = { code: string; outline: string; x: number; y: number }

type Topology = Parameters<typeof feature>[0]
type Place = { id?: string | number; properties: { name?: string } | null } & GeoPermissibleObjects

/** Longitude and latitude of places that have networks of their own but no outline. */
const points: Readonly<Record<string, readonly [number, number]>> = {
  AD: [1.6, 42.5],
  BB: [-59.5, 13.2],
  BH: [50.5, 26],
  BM: [-64.8, 32.3],
  CV: [-24, 15.1],
  CW: [-69, 12.2],
  FO: [-7, 62],
  GI: [-5.35, 36.1],
  GU: [144.8, 13.4],
  HK: [114.2, 22.3],
  IM: [-4.5, 54.2],
  KY: [-81.2, 19.3],
  LI: [9.5, 47.2],
  MC: [7.4, 43.7],
  MO: [113.5, 22.2],
  MT: [14.4, 35.9],
  MU: [57.6, -20.3],
  MV: [73.5, 4.2],
  PF: [-149.4, -17.7],
  RE: [55.5, -21.1],
  SC: [55.5, -4.7],
  SG: [103.8, 1.35],
  SM: [12.5, 43.9],
  WS: [-172.1, -13.8],
}
const pointRadius = 3

/** The atlas has numeric ISO 3166 codes; the platform maps them to letters. */
function codeOf({ id, properties }: Place): string {
  if (id === undefined) return properties?.name === 'Kosovo' ? 'XK' : ''
  return new Intl.Locale(`und-${String(id).padStart(3, '0')}`).region ?? ''
}

function draw(): Shape[] {
  const topology = atlas as unknown as Topology
  const collection = feature(topology, topology.objects.countries!) as unknown as { features: Place[] }
  const places = collection.features.filter((place) => codeOf(place) !== 'AQ')
  const size: [[number, number], [number, number]] = [
    [2, 2],
    [mapSize.width - 2, mapSize.height - 2],
  ]
  const projection = geoEqualEarth().fitExtent(size, { ...collection, features: places } as never)
  const path = geoPath(projection).digits(1)
  const areas = places.map((place) => {
    const [x, y] = path.centroid(place)
    return { code: codeOf(place), outline: path(place) ?? '', x, y }
  })
  const dots = Object.entries(points).map(([code, at]) => {
    const [x, y] = projection([...at]) ?? [0, 0]
    const r = pointRadius
    const outline = `M${(x - r).toFixed(1)},${y.toFixed(1)}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`
    return { code, outline, x, y }
  })
  return [...areas, ...dots]
}

export const shapes: readonly Shape[] = draw()
/** Whether a country is a point: it is not drawn unless it has data. */
export const isPoint = (code: string): boolean => code in points
