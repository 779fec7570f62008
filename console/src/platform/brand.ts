/** The operator's names, images and colour, with the product's own as default. */
import { shownBrand } from '@breakwater/contract/brand/shown-brand.ts'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from './calls.ts'
import { usePlaces } from './places.ts'

export const defaultBrand = 'Breakwater'
const keptMs = 300_000

export function useLogo() {
  // Each console has its own brand.
  usePlaces()
  return useQuery({ ...queryOf(shownBrand.get, {}), staleTime: keptMs }).data
}
export function useBrand(): string {
  return useLogo()?.title || defaultBrand
}
