/**
 * The actions that the palette offers here, and synonyms that people type. Separate from `area.ts`, which the first
 * page loads.
 */
import type { Acts } from '../platform/manifest.ts'

export const acts: Acts = {
  also: {
    'dataAnalysis/logger': 'access log requests live 日誌 日志 記錄',
    'dataAnalysis/explain': 'why blocked reference 為什麼 为什么 原因',
  },
}
