/** Loads and saves the layout of the user's dashboards. Both consoles have one each. */
import { dashboards, type Widget } from '@breakwater/contract/dashboard/dashboard.ts'
import { useCall, useChange } from '../../platform/calls.ts'
import { usePlaces } from '../../platform/places.ts'

export function useBoards() {
  const isOperator = usePlaces().tier === 'client'
  const read = isOperator ? dashboards.client : dashboards.user
  const call = useCall(read, {})
  const saving = useChange(isOperator ? dashboards.updateClient : dashboards.updateUser, read)
  const save = (widgets: Widget[]) => saving.mutateAsync({ body: { widgets } })
  return { call, widgets: call.data?.widgets, save, isSaving: saving.isPending }
}
