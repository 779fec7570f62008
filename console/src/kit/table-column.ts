/** A column of a list, and the part of the address that a list reads. */
import type { ReactNode } from 'react'
import type { ListSearch } from '../platform/search-state.ts'

export type Column<Row> = {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** Numbers stand at the end. */
  end?: boolean
  /** Takes the room that the others leave; what is in it is cut where that is too little. */
  grows?: boolean
  sort?: boolean
}

export type ListState = Pick<ListSearch, 'page' | 'pageSize' | 'orderBy' | 'sortBy'>
export type Go = (patch: Partial<ListState>) => void
