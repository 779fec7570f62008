/**
 * The files that a node needs: the agent and the nginx configuration generator in TypeScript, the request path in Lua,
 * their dependencies, the tables of countries and networks, and the Node binary that runs this process. nginx comes
 * from the node's own Debian.
 */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../../..')
const edgeRequire = createRequire(join(root, 'edge/package.json'))
const packageFolder = (name: string): string => dirname(edgeRequire.resolve(`${name}/package.json`))

const isTest = (path: string): boolean => /\.test\.[cm]?[jt]s$/.test(path)
/** The files of a package that are needed to run it, without its sources, types and source maps. */
const isNeeded = (path: string): boolean => !/\/(src|docs)$|\.d\.[cm]?ts$|\.map$|\.md$/.test(path)

/** Puts a node's files into `folder`. Throws if the edge was not built. */
export function copyNodeFiles(folder: string): void {
  const copy = (from: string, to: string, filter: (path: string) => boolean = () => true) =>
    cpSync(from, join(folder, to), { recursive: true, filter: (path) => filter(path), dereference: true })
  copy(join(root, 'contract/package.json'), 'contract/package.json')
  copy(join(root, 'contract/src'), 'contract/src', (path) => !isTest(path))
  copy(join(root, 'edge/package.json'), 'edge/package.json')
  for (const part of ['src/agent', 'src/nginx', 'lua']) {
    copy(
      join(root, 'edge', part),
      join('edge', part),
      (path) => !isTest(path) && !/\.(stamp|names|version|json)$/.test(path),
    )
  }
  for (const name of ['zod']) {
    copy(packageFolder(name), join('node_modules', name), isNeeded)
  }
  // Node strips types only outside of node_modules, so the contract is placed outside and linked.
  mkdirSync(join(folder, 'node_modules/@breakwater'), { recursive: true })
  symlinkSync('../../contract', join(folder, 'node_modules/@breakwater/contract'))
  for (const name of readdirSync(join(root, 'deploy/node'))) copy(join(root, 'deploy/node', name), name)
  copy(process.execPath, 'bin/node')
}
