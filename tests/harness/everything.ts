/** Whether a run is `script/test --all`: every theme and language, every seed, the whole length of what runs long. */
export const everything = process.env.BREAKWATER_TESTS === 'all'
