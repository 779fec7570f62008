/**
 * No circles between folders, tests left out: a test may import what it needs. Apart from `.dependency-cruiser.cjs`, as a
 * rule about folders counts all files that are read.
 */
const { options } = require('./.dependency-cruiser.cjs')

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles-between-folders',
      comment:
        'Two folders that need each other cannot be read one at a time: what both need goes into a third, below them.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(contract|server|edge|console)/src' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '\\.test\\.tsx?$|/testing/' } },
}
