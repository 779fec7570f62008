/** The consoles. The first segment of a tiered path selects one. */
export const tiers = ['user', 'client', 'admin'] as const
export type Tier = (typeof tiers)[number]
