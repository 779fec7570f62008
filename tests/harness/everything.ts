/** Whether this is `script/test --all`: every theme and language, every seed, the full length of long tests. */
export const everything = process.env.BREAKWATER_TESTS === 'all'
