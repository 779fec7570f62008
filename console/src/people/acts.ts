/**
 * The actions that the palette offers here, and synonyms that people type. Separate from `area.ts`, which the first
 * page loads.
 */
import type { Acts } from '../platform/manifest.ts'

export const acts: Acts = {
  also: {
    'userManagement/apiTokenSetting': 'api key secret 金鑰 密钥 token',
  },
}
