/** The thread that creates one report PDF and exits. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Content } from './content.ts'
import { drawReport } from './draw.ts'

const bytes = await drawReport(workerData as Content)
parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer])
