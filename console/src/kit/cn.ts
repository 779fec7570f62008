/** Joins class names; a later one wins over an earlier one of the same kind. */
import { extendTailwindMerge } from 'tailwind-merge'

export const cn = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['xs', 'sm'] }] } },
})
