import { persistPrefix } from '../lib/kept.ts';
import { browserStorage } from '../lib/storage.ts';

/** Beside the kept state, and told to the other tabs as every change of local storage is. */
const key = `${persistPrefix}logout`;

/** From the press of Logout until the server knows, which may be another day. */
export function oweLogout(): void {
  browserStorage.setItem(key, 'asked');
}

export function settleLogout(): void {
  browserStorage.removeItem(key);
}

export function isLogoutOwed(): boolean {
  return browserStorage.getItem(key) !== null;
}

/** Whether another tab was asked to log out, or its storage was cleared by hand. */
export function isLogoutElsewhere(event: StorageEvent): boolean {
  return event.key === null || (event.key === key && event.newValue !== null);
}
