/** Results of calls for stories: loaded, pending, failed. No server is contacted. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Fault } from '../platform/fault.ts'

export const aFault = new Fault({
  code: 101002,
  status: 500,
  message: 'Unexpected error.',
  requestId: '01980e2f-6f0e-7a3c-9c71-2f6f8a6b1c5e',
})

type Call<Data> = UseQueryResult<Data, Fault>
const refetch = async () => undefined

export const loaded = <Data>(data: Data) => ({ data, isError: false, refetch }) as unknown as Call<Data>
export const loading = <Data>() => ({ isPending: true, isError: false, refetch }) as unknown as Call<Data>
export const refused = <Data>() => ({ isError: true, error: aFault, refetch }) as unknown as Call<Data>
