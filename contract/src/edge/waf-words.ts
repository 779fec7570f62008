/**
 * Words of a row's `waf` after its matches (`942100:5:ARGS:id`). `new:942100` marks a rule that matched but does not
 * count: it came with another rule set of the zone and matches more often, and the operator has not released it.
 * `except:17`, at the end, is the id of an exception that took effect.
 */
export const newWord = 'new'
export const exceptWord = 'except'
