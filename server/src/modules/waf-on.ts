/** Whether a WAF module is enabled: one that is off is treated as no module. */
export const isWafOn = (said: Record<string, unknown>): boolean => said.enabled !== false
