import { Fact, Facts, Panel } from '../../kit/Panel.tsx'
import { ScrollRegion } from '../../kit/ScrollRegion.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  facts: () => (
    <Panel title="Node tpe-1" aside="2 min ago">
      <Facts>
        <Fact name="Address">192.0.2.7</Fact>
        <Fact name="Version">0.1.0</Fact>
      </Facts>
    </Panel>
  ),
  scrolls: () => (
    <ScrollRegion label="Lines of a log" className="h-20 rounded-panel border border-line">
      {Array.from({ length: 9 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike
        <p key={index}>Line {index + 1}</p>
      ))}
    </ScrollRegion>
  ),
}
