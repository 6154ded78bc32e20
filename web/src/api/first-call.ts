declare global {
  interface Window {
    /** The request that `start.ts` sends before the app has loaded; its reply is null if the request failed. */
    firstCall?: { url: string; reply: Promise<Response | null> };
  }
}

/** After this time an unused reply is no longer for the first screen, and may be stale. */
const freshMs = 60_000;

/** Like `fetch`, but uses the reply to the request that `start.ts` has already sent. */
export const fetchUnlessRequested: typeof fetch = async (input, init) => {
  const { firstCall } = window;
  const isAsked =
    input instanceof Request &&
    input.url === firstCall?.url &&
    !input.headers.has('authorization') &&
    performance.now() < freshMs;
  if (!isAsked) return fetch(input, init);
  delete window.firstCall;
  return (await firstCall.reply) ?? fetch(input, init);
};
