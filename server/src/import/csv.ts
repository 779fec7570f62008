/**
 * A table of domains: `site,name,origins,…`, with the columns of an export. Without a `site` column, all domains are
 * one site.
 */
import { readCsv } from '@breakwater/contract/csv.ts'
import { readDomains } from '@breakwater/contract/domains/domain-csv.ts'
import { DomainInput } from '@breakwater/contract/domains/domains.ts'
import type { ImportNote } from '@breakwater/contract/import/site-import.ts'
import type { z } from 'zod'
import { type DraftBuilder, SourceError } from './draft.ts'

const siteDomainsMax = 1000

type Row = { line: number; text: string; site: string; domain: z.input<typeof DomainInput> }

/** Throws a SourceError if no line names a domain. */
export function readTable(text: string, draft: DraftBuilder): void {
  const cells = readCsv(text)
  const domains = readDomains(text)
  const [head = []] = cells
  const columns = head.map((name) => name.trim().toLowerCase())
  const isHead = columns.includes('name') && columns.length > cells.length - domains.length
  const siteAt = columns.indexOf('site')
  const lines = cells.slice(cells.length - domains.length)
  if (lines.length === 0) throw new SourceError({ line: 1, text: text.slice(0, 200) })
  const lineOf = linesOf(text)
  const rows = lines.map((line, index) => ({
    line: lineOf(domains[index]!.name),
    text: line.join(','),
    site: isHead && siteAt !== -1 ? (line[siteAt]?.trim() ?? '') : '',
    domain: domains[index]!,
  }))
  for (const [site, of] of Map.groupBy(rows, (row) => row.site)) addSite(site, of as Row[], draft)
}

/** Returns the number of the next line that contains a name: empty lines and line breaks within quotes count, too. */
function linesOf(text: string): (name: string) => number {
  const lines = text.split(/\r\n|\n|\r/)
  let at = -1
  return (name) => {
    const found = lines.findIndex((line, index) => index > at && line.includes(name))
    if (found !== -1) at = found
    return at + 1
  }
}

function addSite(site: string, rows: Row[], draft: DraftBuilder): void {
  const notes: ImportNote[] = []
  const note = draft.noting(notes)
  const domains = rows.flatMap((row) => {
    const [name] = draft.takeNames([row.domain.name], row, note)
    if (name === undefined) return []
    const { status, upstreams, ...rest } = row.domain
    // Without an origin there is nothing to serve yet.
    const found = DomainInput.safeParse({ ...rest, name, upstreams, status: upstreams.length > 0 ? (status ?? 1) : 0 })
    if (!found.success) note('value', row)
    else if (found.data.upstreams.length === 0) note('origin', row)
    return found.success ? [found.data] : []
  })
  for (const row of rows.slice(siteDomainsMax)) note('tooMany', row)
  if (domains.length === 0) draft.notes.push(...notes)
  else
    draft.add(
      rows[0]!.line,
      { siteName: site || domains[0]!.name.replace(/^(\*|www)\./, ''), domains: domains.slice(0, siteDomainsMax) },
      notes,
    )
}
