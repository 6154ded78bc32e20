declare global {
  interface Window {
    /** The request that `start.ts` sends before the app has loaded; its reply is null if the request failed. */
    firstCall?: { url: string; reply: Promise<Response | null> };
  }
}

/** The time in milliseconds after which an early reply is no longer used, because it may be stale. */
const freshMs = 60_000;

/** Like `fetch`, but uses the reply to the request that `start.ts` has already sent. */
export const fetchUnlessRequested: typeof fetch = async (input, init) => {
  const { firstCall } = window;
  const isRequested =
    input instanceof Request &&
    input.url === firstCall?.url &&
    !input.headers.has('authorization') &&
    performance.now() < freshMs;
  if (!isRequested) return fetch(input, init);
  delete window.firstCall;
  return (await firstCall.reply) ?? fetch(input, init);
};
