let last: Promise<unknown> = Promise.resolve();

function inTurnOfThisTab<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

/**
 * What changes the session goes one after the other, in all tabs of the browser: they share one cookie. A renewal
 * that overtook the answer to a change of password would show the old cookie, be refused, and log the person out.
 * Pages without https have no locks, and browsers that block site data refuse them; there each tab waits for itself alone.
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return inTurnOfThisTab(work);
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return work();
  };
  try {
    return await (locks.request('lendtools-session', begin) as Promise<T>);
  } catch (error) {
    if (hasBegun) throw error;
    return inTurnOfThisTab(work);
  }
}
