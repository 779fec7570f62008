/** Writes the shapes with which nginx checks objects. Part of `npm run build -w edge`. */
import { writeFileSync } from 'node:fs'
import { makeShapes } from './make.ts'

writeFileSync(new URL('../request/sites/shapes.ts', import.meta.url), makeShapes())
