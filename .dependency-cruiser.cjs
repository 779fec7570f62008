/** Who may import whom: the tree of docs/architecture.md, checked. A test may import what it needs. */

const test = '\\.test\\.tsx?$|/testing/'
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

/** The folders of a folder, without some of them: an area that is new is checked from its first file on. */
const foldersOf = (folder, without) =>
  readdirSync(join(__dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !without.includes(entry.name))
    .map(({ name }) => name)

/** The folders of the server as docs/architecture.md draws them: each imports only from rows below its own. */
const rows = /```rows of server\/src\n([^`]*)\n```/
  .exec(readFileSync(join(__dirname, 'docs/architecture.md'), 'utf8'))[1]
  .split('\n')
  .map((row) => row.split(' '))
const undrawn = foldersOf('server/src', ['testing', ...rows.flat()])
if (undrawn.length > 0) throw new Error(`docs/architecture.md has no row for these folders of server/src: ${undrawn}`)

/** The layers of the console, from what imports nothing to what composes everything; the areas stand between the last two. */
const layers = ['platform', 'kit', 'pickers']
const areas = foldersOf('console/src', [...layers, 'shell', 'gallery']).join('|')

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contract-imports-only-zod',
      comment: 'The contract is what is said between the workspaces: it must run wherever one of them runs.',
      severity: 'error',
      from: { path: '^contract/src', pathNot: test },
      to: { pathNot: '^contract/src|node_modules/zod/' },
    },
    {
      name: 'workspaces-know-only-the-contract',
      comment: 'Imports are a tree: console, server and edge meet in the contract and nowhere else.',
      severity: 'error',
      from: { path: '^(server|console|edge)/src', pathNot: test },
      to: { path: '^(server|console|edge|tests|bench|script)/', pathNot: '^$1/' },
    },
    ...rows.map((row, at) => ({
      name: `${row.join('-')}-of-the-server-import-nothing-above-them`,
      comment:
        'Imports of the server go down the rows of docs/architecture.md: what two areas of a row need goes below them.',
      severity: 'error',
      from: { path: `^server/src/(${row.join('|')})/`, pathNot: test },
      to: {
        path: `^server/src/(${rows
          .slice(0, at + 1)
          .flat()
          .join('|')})/`,
        pathNot: '^server/src/$1/',
      },
    })),
    {
      name: 'only-the-start-imports-what-composes',
      comment: 'The files of server/src itself put the areas together: an area that needs one of them is given it.',
      severity: 'error',
      from: { path: '^server/src/[^/]+/', pathNot: test },
      to: { path: '^server/src/[^/]+\\.ts$' },
    },
    ...layers.map((layer, at) => ({
      name: `${layer}-imports-nothing-above-it`,
      comment: 'Imports of the console go down: shell, areas, pickers, kit, platform.',
      severity: 'error',
      from: { path: `^console/src/${layer}/`, pathNot: test },
      to: { path: `^console/src/(${[...layers.slice(at + 1), 'shell', areas].join('|')})/` },
    })),
    {
      name: 'areas-of-the-console-stand-alone',
      comment: 'What two areas share is a picker or part of the kit; the shell composes areas, and none knows it.',
      severity: 'error',
      from: { path: `^console/src/(${areas})/`, pathNot: test },
      to: { path: `^console/src/(${areas}|shell)/`, pathNot: '^console/src/$1/' },
    },
    {
      name: 'only-the-start-imports-the-shell',
      comment: 'The shell is the top: it is started, and nothing is built on it.',
      severity: 'error',
      from: { path: '^console/src/', pathNot: `${test}|^console/src/(shell/|main\\.tsx$|gallery/main\\.tsx$)` },
      to: { path: '^console/src/shell/' },
    },
    {
      name: 'guards-are-pure',
      comment: 'A guard runs in Node and in nginx alike, so it knows nothing of either.',
      severity: 'error',
      from: { path: '^edge/src/request/(firewall|modules|lib)/', pathNot: test },
      to: { pathNot: '^edge/src/request/(firewall|modules|lib)/|^contract/src' },
    },
    {
      name: 'no-cycles',
      comment: 'Files that need each other are one file, or a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-unresolved',
      comment: 'An import that leads nowhere fails when it is first run, perhaps at night.',
      severity: 'error',
      from: {},
      // Modules of nginx's Lua exist only inside nginx.
      to: { couldNotResolve: true, pathNot: '^(cjson|ffi|bit|jit|ngx|resty|string)(\\.|$)|^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
}
