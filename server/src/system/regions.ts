/** Continents and countries as a tree. */
import type { Region } from '@breakwater/contract/system/health.ts'
import { continentId, countriesByContinent, countryId } from '@breakwater/contract/system/region-ids.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })

let tree: { data: Region[]; total: number } | undefined

/** The tree, built once. */
export function regions(): { data: Region[]; total: number } {
  tree ??= makeTree()
  return tree
}

function makeTree() {
  const data = Object.entries(countriesByContinent).map(([continentCode, codes]) => ({
    id: continentId(continentCode),
    code: continentCode,
    alpha2: '',
    countryName: '',
    cityName: '',
    continentCode,
    children: codes.split(' ').map((alpha2) => ({
      id: countryId(alpha2),
      code: alpha2,
      alpha2,
      countryName: names.of(alpha2) ?? alpha2,
      cityName: '',
      continentCode,
      children: [],
    })),
  }))
  return { data, total: data.length }
}
