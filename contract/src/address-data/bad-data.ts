/** Address data that cannot be read as a whole: not a known format, damaged, or crafted to do harm. */
export class BadData extends Error {}
