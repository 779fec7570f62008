/** The folders of a node (contract/src/edge/node-disk.ts): whoever starts nginx creates them first. */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'

export type NodeFolder = {
  path: string
  mode: number
  /** Whether nginx's workers write to it or must be able to enter it: then their user owns it. */
  ofWorkers: boolean
}

/**
 * The sockets in `run` trust whoever can connect, and nginx creates them accessible to everybody: only the folder's
 * mode keeps others out. Objects, prefilters, address data and logs belong to the agent; workers only read them.
 */
export function nodeFolders(settings: Pick<NodeSettings, 'folder'>): NodeFolder[] {
  const folder = (name: string, mode: number, ofWorkers: boolean) => ({
    path: `${settings.folder}/${name}`,
    mode,
    ofWorkers,
  })
  return [
    { path: settings.folder, mode: 0o755, ofWorkers: false },
    folder('objects', 0o755, false),
    folder('prefilters', 0o755, false),
    folder('address-data', 0o755, false),
    folder('log', 0o755, false),
    folder('secrets', 0o700, true),
    folder('spool', 0o750, true),
    folder('run', 0o700, true),
    folder('cache', 0o700, true),
    folder('tmp', 0o700, true),
  ]
}

/** Sockets that a killed nginx leaves behind. They prevent its start, so they are removed before. */
export function staleSockets(settings: Pick<NodeSettings, 'folder'>): string[] {
  return ['control', 'fetch', 'relay'].map((name) => `${settings.folder}/run/${name}.sock`)
}
