let last: Promise<unknown> = Promise.resolve();

function inTurnOfThisTab<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

/**
 * Serializes the calls that change the session, across all tabs of the browser, because they share one cookie. Otherwise
 * a renewal that overtakes the reply to a password change sends the old cookie, is rejected and logs the user out.
 * Pages without https have no Web Locks, and browsers that block site data refuse them; then calls are serialized per tab.
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
