/** The version of this agent, as its package says. */
import packageFile from '../../package.json' with { type: 'json' }

export const version: string = packageFile.version
