/** Levels of compression: each that is not usual has nginx locations of its own. */
export const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export const levelUsual = 5
