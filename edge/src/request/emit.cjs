/**
 * Two things that typescript-to-lua needs to be told. TypeScript allows imports that end in `.ts`, as Node needs them,
 * only where it emits nothing itself: the configuration says `noEmit`, and this plugin takes it back before the Lua is
 * written. And the contract's plain constants are found by their package name.
 */
const { join } = require('node:path')

const contract = '@breakwater/contract/'

module.exports = {
  beforeTransform(_program, options) {
    options.noEmit = false
  },
  moduleResolution(name) {
    return name.startsWith(contract) ? join(__dirname, '../../../contract/src', name.slice(contract.length)) : undefined
  },
}
