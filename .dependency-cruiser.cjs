/** Who may import whom: the tree of docs/architecture.md, checked. A test may import what it needs. */

const test = '\\.test\\.tsx?$|/testing/'
const areas =
  'auth|account|sites|domains|certificates|delivery|firewall|modules|statistics|logs|nodes|dns|products|traffic|monitor|system|licences|dashboard'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contract-imports-only-zod',
      comment: 'The contract is what is said between the rooms: it must run wherever one of them runs.',
      severity: 'error',
      from: { path: '^contract/src', pathNot: test },
      to: { pathNot: '^contract/src|node_modules/zod/' },
    },
    {
      name: 'rooms-know-only-the-contract',
      comment: 'Imports are a tree: console, server and edge meet in the contract and nowhere else.',
      severity: 'error',
      from: { path: '^(server|console|edge)/src', pathNot: test },
      to: { path: '^(server|console|edge|tests|bench|script)/', pathNot: '^$1/' },
    },
    {
      name: 'plumbing-knows-no-feature',
      comment: 'What every feature stands on must not lean on one of them.',
      severity: 'error',
      from: { path: '^server/src/(http|db|events|engines|secrets)/', pathNot: test },
      to: { path: `^server/src/(${areas})/` },
    },
    {
      name: 'kit-knows-no-area',
      comment: 'The kit owns behaviour and never heard of a CDN.',
      severity: 'error',
      from: { path: '^console/src/kit/', pathNot: test },
      to: { path: `^console/src/(${areas}|pickers)/` },
    },
    {
      name: 'areas-of-the-console-stand-alone',
      comment: 'What two areas share is a picker or part of the kit.',
      severity: 'error',
      from: { path: `^console/src/(${areas})/`, pathNot: test },
      to: { path: `^console/src/(${areas})/`, pathNot: '^console/src/$1/' },
    },
    {
      name: 'guards-are-pure',
      comment: 'A guard runs in Node and in nginx alike, so it knows nothing of either.',
      severity: 'error',
      from: { path: '^edge/src/request/(firewall|modules|lib)/|^edge/src/request/guard\\.ts', pathNot: test },
      to: { pathNot: '^edge/src/request/(firewall|modules|lib)/|^edge/src/request/guard\\.ts|^contract/src' },
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
      to: { couldNotResolve: true, pathNot: '^(cjson|ffi|bit|ngx|resty|string)(\\.|$)|^virtual:' },
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
