import { Loaded } from '../../kit/Loaded.tsx'
import { Loading } from '../../kit/Loading.tsx'
import { loaded, loading, refused } from '../loaded.ts'
import type { Stories } from '../story.ts'

const help = 'How accounts are reached.'

export const stories: Stories = {
  page: { show: () => <Loading />, waits: true },
  'panel whose call has answered': () => (
    <Loaded title="Backups" help={help} call={loaded('smtp.example.com')}>
      {(host) => <p>{host}</p>}
    </Loaded>
  ),
  'panel that waits': {
    waits: true,
    show: () => (
      <Loaded title="Telegram" help={help} call={loading<string>()}>
        {(host) => <p>{host}</p>}
      </Loaded>
    ),
  },
  'panel whose call was refused': () => (
    <Loaded title="Webhook" help={help} call={refused<string>()}>
      {(host) => <p>{host}</p>}
    </Loaded>
  ),
}
