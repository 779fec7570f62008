import { useState } from 'react'
import { type Filter, FilterBar } from '../../kit/FilterBar.tsx'
import { SearchInput } from '../../kit/Input.tsx'
import type { Stories } from '../story.ts'

const fields = [
  { field: 'status', label: 'Status', options: ['200', '404', '503'].map((value) => ({ value, label: value })) },
  { field: 'host', label: 'Host' },
]

function Bar() {
  const [filters, setFilters] = useState<Filter[]>([
    { field: 'status', not: true, values: ['404', '503'] },
    { field: 'host', not: false, values: ['shop.example'] },
  ])
  const [text, setText] = useState('')
  return (
    <div data-filters={JSON.stringify(filters)}>
      <FilterBar fields={fields} filters={filters} onChange={setFilters}>
        <SearchInput label="Search" value={text} onChange={setText} />
      </FilterBar>
    </div>
  )
}

export const stories: Stories = { 'with chips': () => <Bar /> }
