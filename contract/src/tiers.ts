/** The consoles. The first segment of a tiered path selects one (rules A1). */
export const tiers = ['user', 'client', 'admin'] as const
export type Tier = (typeof tiers)[number]
