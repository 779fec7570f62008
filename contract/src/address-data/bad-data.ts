/** Data of addresses that cannot be read as a whole: it is none, damaged, or made to do harm. */
export class BadData extends Error {}
