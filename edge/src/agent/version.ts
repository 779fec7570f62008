/** The version of this agent, from its package.json. */
import packageFile from '../../package.json' with { type: 'json' }

export const version: string = packageFile.version
