/** Whether a WAF module has requests asked about: one that is off is as good as none. */
export const isWafOn = (said: Record<string, unknown>): boolean => said.enabled !== false
