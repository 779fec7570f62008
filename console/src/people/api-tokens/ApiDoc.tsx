/** The API reference is a separate page on the server; this route redirects to it. */
import { useEffect } from 'react'
import { Loading } from '../../kit/Loading.tsx'
import { usePlaces } from '../../platform/places.ts'

export function ApiDoc() {
  const { tier } = usePlaces()
  useEffect(() => location.replace(`/api/v1/docs/${tier}`), [tier])
  return <Loading />
}
