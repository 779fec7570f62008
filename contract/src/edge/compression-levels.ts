/** Levels of compression: each except the usual one has its own nginx locations. */
export const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export const levelUsual = 5
