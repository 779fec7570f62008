/** Why traffic is considered an attack: too many requests, or too many that an origin failed to answer. */
export const attackReasons = ['requests', 'failures'] as const
