/** What people write: each sentence of our documents and each text of the consoles, in three languages, as requests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Sent } from './crs-cases.ts'

const root = resolve(import.meta.dirname, '../..')
export const host = 'localhost'

const filesIn = (folder: string, name: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .sort()
    .map((path) => join(root, folder, path))

const sentencesOf = (text: string) =>
  text
    .split(/\n|(?<=[.!?]) /)
    .map((line) => line.replace(/^[|#>*\s-]+/, '').trim())
    .filter((line) => line.length > 20 && line.length < 1_500)

/** A file of words exports lists of texts by their keys. */
type Exported = Record<string, Record<string, string>>

async function textsOfPeople(): Promise<string[]> {
  const words = filesIn('console/src', /words\/\w\w_\w\w\.ts$/)
  const modules = await Promise.all(words.map((path) => import(path) as Promise<Exported>))
  const said = modules.flatMap((exported) => Object.values(exported).flatMap((texts) => Object.values(texts)))
  const written = filesIn('docs', /\.md$/).flatMap((path) => sentencesOf(readFileSync(path, 'utf8')))
  return [...new Set([...said, ...written])]
}

const agent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

function sent(title: string, line: string, type = '', text = ''): Sent {
  const body = Buffer.from(text)
  const ofBody = type === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`]
  const head = [
    ...[`${line} HTTP/1.1`, `Host: ${host}`, `User-Agent: ${agent}`, 'Accept: text/html,*/*;q=0.8'],
    ...['Accept-Language: en-US,en;q=0.9', 'Accept-Encoding: gzip, deflate, br', 'Cookie: session=4f9a02; theme=dark'],
    ...[...ofBody, '', ''],
  ]
  return { title, head: head.join('\r\n'), body }
}

/** A text as a request, of a kind that depends on its position in the list. */
function asRequest(text: string, at: number): Sent {
  const encoded = encodeURIComponent(text).replaceAll('%20', '+')
  const title = `${at} ${text}`
  if (at % 3 === 0) return sent(title, `GET /search?q=${encoded}&page=1`)
  if (at % 3 === 1)
    return sent(title, 'POST /comments', 'application/x-www-form-urlencoded', `name=Ada+Lovelace&comment=${encoded}`)
  return sent(title, 'POST /comments', 'application/json', JSON.stringify({ author: { name: 'Ada' }, comment: text }))
}

/** Each text once: some 11,000. */
export const requestsOfPeople = async (): Promise<Sent[]> => (await textsOfPeople()).map(asRequest)
