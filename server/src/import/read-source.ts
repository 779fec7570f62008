/**
 * Parses an upload into a draft. Pure, except for the database of Nginx Proxy Manager, which SQLite opens by its path.
 */
import { readFileSync } from 'node:fs'
import type { ImportDraft, ImportKind } from '@breakwater/contract/import/site-import.ts'
import { readCloudflare } from './cloudflare/read.ts'
import { readTable } from './csv.ts'
import { DraftBuilder, SourceError } from './draft.ts'
import { readNginx } from './nginx/read.ts'
import { readProxyManager } from './proxy-manager.ts'

/** Paths of the files. `rules` is for Cloudflare only, where either file may be missing. */
export type Source = { kind: ImportKind; file: string | undefined; rules: string | undefined }

/** Which of the two files is not of the declared kind at all. */
export type Unreadable = { unreadable: 'file' | 'rules' }

/** A file that is broken at some place gives a draft with only that note. */
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

/** Decodes UTF-8, with or without a BOM; undefined if it is not text. */
function textOf(path: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return text.includes('\0') ? undefined : text
  } catch {
    // Not UTF-8: an image, an archive, or a table in an old encoding.
    return undefined
  }
}
