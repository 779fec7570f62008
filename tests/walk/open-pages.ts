/** The pages that are currently open in a test. */
import type { Page } from 'playwright-core'

export const openPages = new Set<Page>()
