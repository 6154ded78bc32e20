/** `npm run bench -- --short` shows in a few minutes that every part works; its figures say little. */
export const isShort = process.argv.includes('--short');

/** How many of something a whole run takes, and a short one. */
export const inShort = (whole: number, short: number): number => (isShort ? short : whole);
