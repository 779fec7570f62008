/** The brand at the door: the operator's names and pictures, defaults where none are set (rules P6, P7). */
import { brands } from '@breakwater/contract/brand/brand.ts'
import { useCall } from './calls.ts'

export const defaultBrand = 'Breakwater'

export function useLogo() {
  return useCall(brands.get, {}).data
}
export function useBrand(): string {
  return useLogo()?.title || defaultBrand
}
