/** The folders of a node (contract/src/edge/node-disk.ts): who starts nginx makes them first. */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'

export type NodeFolder = {
  path: string
  mode: number
  /** Whether nginx's workers write there, or must be able to enter: then it belongs to their user. */
  ofWorkers: boolean
}

/**
 * The sockets in `run` take whoever can reach them at their word, and nginx makes them for everybody: it is the folder's
 * mode that keeps others out. Objects, prefilters, address data and logs are the agent's; workers only read them.
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

/** Sockets that an nginx that was killed left behind: it cannot start over them, so they are removed before a start. */
export function staleSockets(settings: Pick<NodeSettings, 'folder'>): string[] {
  return ['control', 'fetch', 'relay'].map((name) => `${settings.folder}/run/${name}.sock`)
}
