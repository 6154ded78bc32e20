import { persistPrefix } from '../lib/kept.ts';
import { browserStorage } from '../lib/storage.ts';

/** The key is in local storage beside the persisted state, so that other tabs get a `storage` event for it. */
const key = `${persistPrefix}logout`;

/** Records a pending logout, until the server has confirmed it. That may be in a later visit. */
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
