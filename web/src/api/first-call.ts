declare global {
  interface Window {
    /** What `start.ts` has asked for before the app came: null where that failed. */
    firstCall?: { url: string; reply: Promise<Response | null> };
  }
}

/** A reply that nobody took in this time is not what the page shows first. */
const freshMs = 60_000;

/** Like `fetch`, but what `start.ts` has already requested is not requested again. */
export const fetchUnlessAsked: typeof fetch = async (input, init) => {
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
