/**
 * Which log row a request gets: the usual one, for a hit on which no guard acted; a complete one; or none. A request
 * begins with the usual row, as most keep it: setting all variables for each would be most of its cost.
 */

/** The row contains what the variables say, and stands for `weight` requests. */
export function logWhole(weight: number): void {
  const vars = ngx.var
  vars.bw_usual = '0'
  vars.bw_weight = weight
}

/** Switches to a complete row if the request has the usual one so far. */
export function logAll(): void {
  if (ngx.var.bw_usual === '1') logWhole(1)
}

/** No row: the request is for none of our sites, or sampled rows stand for it. */
export function logNothing(): void {
  logWhole(0)
}
