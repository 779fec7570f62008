/** Runs when no origin answered: finds out why, for the visitor and for the log. */
import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'
import { askedBy } from '../domains/failures.ts'
import { takeContext } from './context.ts'
import { leakNow, refusedLeak } from './leak.ts'
import { answer, failureWords } from './respond.ts'
import { lastOf, requestId } from './toward-origin.ts'

type Found = { failure: OriginFailure | ''; address: string }

/** What the relay noted, or else what nginx saw itself, which asks over plain HTTP only. */
function find(): Found {
  const noted = askedBy(requestId())
  if (noted !== undefined && noted.failure !== '') return noted
  const vars = ngx.var
  const address = lastOf(`${vars.upstream_addr ?? ''}`)
  // The inner hop broke off.
  if (address === '' || address.startsWith('unix:')) return { failure: '', address: '' }
  if (lastOf(`${vars.upstream_status}`) === '504') return { failure: 'timeout', address }
  return { failure: lastOf(`${vars.upstream_connect_time}`) === '-' ? 'connect' : 'reset', address }
}

function tell({ failure }: Found): void {
  const status = failure === 'timeout' || (failure === '' && ngx.status === 504) ? 504 : 502
  answer(status, undefined, 0, failure === '' ? status : failureWords[failure])
}

/** Answers the visitor. */
export function unreachableNow(): void {
  // A slice in the middle of a response: the page would end up in the middle of the object.
  if (ngx.is_subrequest) {
    ngx.exit(ngx.ERROR)
    return
  }
  if (refusedLeak(ngx.var.bw_id as string) !== undefined) {
    leakNow()
    return
  }
  takeContext()
  const found = find()
  ngx.var.bw_origin_failure = found.failure
  ngx.var.bw_origin_address = found.address
  tell(found)
}

/** On the inner hop: the outer one logs the failure that it receives in a header. */
export function fetchUnreachableNow(): void {
  if (refusedLeak(requestId()) !== undefined) {
    // The outer hop shows the page; nothing is stored.
    ngx.header['X-Accel-Redirect'] = '@leak'
    ngx.status = 200
    ngx.exit(200)
    return
  }
  const found = find()
  ngx.header['X-BW-Origin'] = `${found.address === '' ? '-' : found.address} 0 0 ${found.failure}`
  tell(found)
}
