/**
 * Words of a row's `waf` beside its matches (`942100:5:ARGS:id`). `new:942100` says of a rule that matched that it does not
 * count: it came with another rule set of the zone and matches more often, and the operator has not released it.
 */
export const newWord = 'new'
