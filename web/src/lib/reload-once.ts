import { tabStorage } from './storage.ts';

const key = 'lendtools-reloaded-at';
const pauseMs = 300_000;

/** Reloads the page, but never in a loop: at most every five minutes, and only online. Returns whether it reloads. */
export function reloadOnce(reload = () => window.location.reload()): boolean {
  if (!navigator.onLine || Date.now() - Number(tabStorage.getItem(key)) < pauseMs) return false;
  if (!tabStorage.setItem(key, String(Date.now()))) return false;
  reload();
  return true;
}
