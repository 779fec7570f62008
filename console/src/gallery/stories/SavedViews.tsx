import { SavedViews } from '../../kit/SavedViews.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = { 'of a list': () => <SavedViews list="gallery.views" /> }
