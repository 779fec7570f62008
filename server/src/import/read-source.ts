/** What was uploaded as a draft. Pure but for the database of Nginx Proxy Manager, which SQLite opens by its path. */
import { readFileSync } from 'node:fs'
import type { ImportDraft, ImportKind } from '@breakwater/contract/import/site-import.ts'
import { readCloudflare } from './cloudflare/read.ts'
import { readTable } from './csv.ts'
import { DraftBuilder, SourceError } from './draft.ts'
import { readNginx } from './nginx/read.ts'
import { readProxyManager } from './proxy-manager.ts'

/** Files by their paths. `rules` are Cloudflare's; either may be missing there. */
export type Source = { kind: ImportKind; file: string | undefined; rules: string | undefined }

/** Which of the two files is none of its kind at all. */
export type Unreadable = { unreadable: 'file' | 'rules' }

/** A file that is broken at a place is a draft with that note alone. */
export function readSource({ kind, file, rules }: Source): ImportDraft | Unreadable {
  if (kind === 'nginxProxyManager') {
    if (file === undefined || !isSqlite(file)) return { unreadable: 'file' }
    return drafted((draft) => readProxyManager(file, draft))
  }
  const [text, rulesText] = [file === undefined ? '' : textOf(file), rules === undefined ? '' : textOf(rules)]
  if (text === undefined) return { unreadable: 'file' }
  if (rulesText === undefined) return { unreadable: 'rules' }
  if (kind === 'nginx') return drafted((draft) => readNginx(text, draft))
  if (kind === 'csv') return drafted((draft) => readTable(text, draft))
  return drafted((draft) => readCloudflare(text, rulesText, draft))
}

function drafted(read: (draft: DraftBuilder) => void): ImportDraft {
  const draft = new DraftBuilder()
  try {
    read(draft)
    return draft.finish()
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const broken = new DraftBuilder()
    broken.noting()('syntax', error.place)
    return broken.finish()
  }
}

const isSqlite = (path: string): boolean =>
  readFileSync(path).subarray(0, 16).toString('latin1') === 'SQLite format 3\0'

/** UTF-8, with or without its mark; nothing where it is no text. */
function textOf(path: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return text.includes('\0') ? undefined : text
  } catch {
    // Bytes that are no UTF-8: a picture, an archive, or a table in an old encoding.
    return undefined
  }
}
