/**
 * When a wait of a test is given up: long after anything that still moves, on a machine with ten times the work as well.
 * It ends what hangs and measures nothing. Every time-out of the tests is this one or a multiple of it.
 */
export const hangsAfterMs = 120_000;

/** Of a whole test or hook: after the time-outs of what it waits for, because those say what it was. */
export const testTimeoutMs = 5 * hangsAfterMs;
