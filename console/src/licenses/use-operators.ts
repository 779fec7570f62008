/** The operators that a licence can be issued to. */
import { accounts } from '@breakwater/contract/account/accounts.ts'
import { useCall } from '../platform/calls.ts'

/** The most that a list can reasonably offer; a vendor with more of them searches its accounts. */
const shownMax = 500

export function useOperators(enabled = true) {
  const call = useCall(accounts.list, { query: { auth: 'client', pageSize: shownMax, page: 1 } }, { enabled })
  return call.data?.data.filter(({ isRoot }) => isRoot) ?? []
}
