/**
 * Only ends tests that hang: even under ten times the load, no wait takes this long. All test timeouts are multiples of it.
 */
export const hangsAfterMs = Number(process.env.HANGS_AFTER_MS ?? 120_000);

/**
 * The timeout of a whole test or hook, longer than the waits inside it: a wait fails first, and its error says what was awaited.
 */
export const testTimeoutMs = 5 * hangsAfterMs;

/**
 * Options of a stub's HTTP server. By default Node closes a connection after five idle seconds, and a client whose thread
 * was busy for that long would still send its next request on it, and fail.
 */
export const stubServerOptions = { keepAliveTimeout: 0 };
