let last: Promise<unknown> = Promise.resolve();

function inTurnOfThisTab<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

/**
 * Serializes the calls that change the session, across all tabs: a renewal that races a password change would send the
 * old cookie and log the user out. Without Web Locks (no https, or blocked site data) it serializes per tab.
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
