import { persistPrefix } from '../lib/kept.ts';
import { browserStorage } from '../lib/storage.ts';

/** This key is in local storage, so that other tabs get a `storage` event when it changes. */
const key = `${persistPrefix}logout`;

/** Records a pending logout until the server confirms it, possibly in a later visit. */
export function oweLogout(): void {
  browserStorage.setItem(key, 'asked');
}

export function settleLogout(): void {
  browserStorage.removeItem(key);
}

export function isLogoutOwed(): boolean {
  return browserStorage.getItem(key) !== null;
}

/** Whether another tab started a logout, or the local storage was cleared. */
export function isLogoutElsewhere(event: StorageEvent): boolean {
  return event.key === null || (event.key === key && event.newValue !== null);
}
