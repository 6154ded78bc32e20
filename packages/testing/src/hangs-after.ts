/**
 * The deadline of a wait in a test. It only ends hangs and measures nothing, so it is far longer than any wait on a
 * machine with ten times the load. Every timeout in tests is this or a multiple of it.
 */
export const hangsAfterMs = 120_000;

/**
 * The timeout of a whole test or hook. It is longer than the deadlines of its waits, because their errors say what
 * was awaited.
 */
export const testTimeoutMs = 5 * hangsAfterMs;
