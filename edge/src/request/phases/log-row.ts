/**
 * Which row a request gets: the usual one, which says what is true of a hit that no guard had a word about; one that says
 * all of it; or none. A request begins as a usual one, as most are: saying so of each would be the larger part of its cost.
 */

/** The row says what the variables do, for so many requests. */
export function logWhole(weight: number): void {
  const vars = ngx.var
  vars.bw_usual = '0'
  vars.bw_weight = weight
}

/** The same where the request has been logged as a usual one until now. */
export function logAll(): void {
  if (ngx.var.bw_usual === '1') logWhole(1)
}

/** No row: the request is for no site of ours, or the rows of others stand for it. */
export function logNothing(): void {
  logWhole(0)
}
