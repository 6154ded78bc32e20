import { tabStorage } from './storage.ts';

const key = 'lendtools-reloaded-at';
const pauseMs = 300_000;

/**
 * Loads the page again, unless that was tried in the last minutes, there is no network, or nothing can be remembered:
 * it must never loop. Returns whether it reloads.
 */
export function reloadOnce(reload = () => window.location.reload()): boolean {
  if (!navigator.onLine || Date.now() - Number(tabStorage.getItem(key)) < pauseMs) return false;
  if (!tabStorage.setItem(key, String(Date.now()))) return false;
  reload();
  return true;
}
