const key = 'lendtools-reloaded-at';
const pauseMs = 300_000;

/**
 * Loads the page again, unless that was tried in the last minutes, there is no network, or nothing can be remembered:
 * it must never loop. Returns whether it reloads.
 */
export function reloadOnce(reload = () => window.location.reload()): boolean {
  try {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(key)) < pauseMs)
      return false;
    sessionStorage.setItem(key, String(Date.now()));
  } catch {
    return false;
  }
  reload();
  return true;
}
