/** Reading the audit log: in pages, and as a file. */
import { type AuditFilter, auditExportMax, auditListMax, auditLog } from '@breakwater/contract/audit/audit.ts'
import type { Cell } from '@breakwater/contract/csv.ts'
import { asSystem } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import {
  countUpTo,
  type EntryRow,
  entriesOf,
  matching,
  preferOrderWhereFrequent,
  siteNames,
  slices,
} from './audit.store.ts'

const { export: exportCall, list } = auditLog
const sliceRows = 1000

export function auditFeature(): Feature {
  return [...listing(), ...exporting()]
}

function requireOrder({ startTime, endTime }: AuditFilter): void {
  if (startTime !== undefined && endTime !== undefined && endTime < startTime)
    throw fieldFault('endTime', 'wrongFormat')
}

function listing(): Feature {
  return implement(
    { list },
    {
      async list({ db, caller, body }) {
        const { page, pageSize, ...filter } = body
        requireOrder(filter)
        const offset = (page - 1) * pageSize
        const reply = await asSystem(db, async (tx) => {
          await preferOrderWhereFrequent(tx, caller, filter)
          const rows = matching(tx, caller, filter)
          const found = offset >= auditListMax ? [] : await entriesOf(rows).limit(pageSize).offset(offset).execute()
          const total = await countUpTo(tx, rows, auditListMax + 1)
          const data = found.map(({ at, requestId, address, siteId, ...row }) => ({
            ...row,
            reqID: requestId,
            createdAt: at.toISOString(),
            clientIP: address,
            siteID: siteId,
          }))
          return { data, total: Math.min(total, auditListMax), isMore: total > auditListMax }
        })
        const names = await siteNames(
          db,
          caller,
          reply.data.flatMap(({ siteID }) => siteID ?? []),
        )
        const data = reply.data.map((entry) => ({ ...entry, siteName: names.get(entry.siteID ?? 0) ?? null }))
        return { ...reply, data }
      },
    },
  )
}

const columns = [
  'time',
  'account',
  'console',
  'actingBy',
  'token',
  'action',
  'status',
  'method',
  'url',
  'siteID',
  'address',
  'requestID',
  'detail',
]
const cellsOf = (row: EntryRow): Cell[] => [
  row.at.toISOString(),
  row.accountName,
  row.tier,
  row.proxyName ?? '',
  row.tokenName ?? '',
  row.action,
  row.status,
  row.method,
  row.url,
  row.siteId ?? '',
  row.address,
  row.requestId,
  row.detail ? JSON.stringify(row.detail) : '',
]

function exporting(): Feature {
  return implementOpen(
    { export: exportCall },
    {
      async export({ transact, caller, body, audit, answerFile }) {
        requireOrder(body)
        audit.detail = { filter: body }
        const ask: typeof transact = (run) => transact((db) => asSystem(db, run))
        async function* lines() {
          for await (const rows of slices(ask, caller, body, { size: sliceRows, max: auditExportMax })) {
            for (const row of rows) yield cellsOf(row)
          }
        }
        answerFile({ name: 'audit', head: columns, lines: lines() })
      },
    },
  )
}
