/** `npm run bench -- --short` checks within minutes that every part works; its measurements mean little. */
export const isShort = process.argv.includes('--short');

/** Selects a quantity for a full or a short run. */
export const inShort = (whole: number, short: number): number => (isShort ? short : whole);
