/** A column of a list, and the search parameters that a list reads. */
import type { ReactNode } from 'react'
import type { ListSearch } from '../platform/search-state.ts'

export type Column<Row> = {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** Numbers are aligned at the end. */
  end?: boolean
  /** Takes the remaining width; its content is truncated if that is too little. */
  grows?: boolean
  sort?: boolean
}

export type ListState = Pick<ListSearch, 'page' | 'pageSize' | 'orderBy' | 'sortBy'>
export type Go = (patch: Partial<ListState>) => void
