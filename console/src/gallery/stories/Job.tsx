import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { readUntil, startJob, useJob } from '../../kit/useJob.ts'
import type { Stories } from '../story.ts'

/** A job that another component displays: it was started elsewhere and is still found. */
function Progress() {
  const job = useJob<number>('gallery')
  return <output>{job ? `${job.state ?? 0} of 3 ${job.isOver ? 'over' : 'going on'}` : 'no job'}</output>
}

function Begin() {
  const [isShown, setShown] = useState(true)
  async function run(tell: (done: number) => void): Promise<undefined> {
    let done = 0
    await readUntil(
      async () => ++done,
      (state) => state === 3,
      tell,
      100,
    )
  }
  return (
    <div className="flex items-center gap-3">
      <Button onClick={() => startJob<number>({ id: 'gallery', run })}>Begin</Button>
      <Button onClick={() => setShown(!isShown)}>Look away or back</Button>
      {isShown && <Progress />}
    </div>
  )
}

export const stories: Stories = { job: () => <Begin /> }
