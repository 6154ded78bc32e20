let last: Promise<unknown> = Promise.resolve();

function inTurnOfThisTab<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

/**
 * What changes the session goes one after the other, in all tabs of the browser: they share one cookie. A renewal
 * that overtook the answer to a change of password would show the old cookie, be refused, and log the person out.
 * Pages without https have no locks; there each tab waits for itself alone.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  return locks ? (locks.request('lendtools-session', work) as Promise<T>) : inTurnOfThisTab(work);
}
