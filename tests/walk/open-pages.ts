/** The pages that persons of a test have open now. */
import type { Page } from 'playwright-core'

export const openPages = new Set<Page>()
