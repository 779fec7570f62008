/** What the palette offers to do here, and other words that people type. Apart from `area.ts`, which the first page loads. */
import type { Acts } from '../platform/manifest.ts'

export const acts: Acts = {
  also: {
    'userManagement/apiTokenSetting': 'api key secret 金鑰 密钥 token',
  },
}
