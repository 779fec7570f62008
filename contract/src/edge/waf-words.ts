/**
 * Words of a row's `waf` behind its matches (`942100:5:ARGS:id`). `new:942100` says of a rule that matched that it does not
 * count: it came with another rule set of the zone and matches more often, and the operator has not released it.
 * `except:17`, at the end, is the id of an exception that did something.
 */
export const newWord = 'new'
export const exceptWord = 'except'
