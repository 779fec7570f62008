/** The thread that makes one file of a report, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Content } from './content.ts'
import { drawReport } from './draw.ts'

const bytes = await drawReport(workerData as Content)
parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer])
