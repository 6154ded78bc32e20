import { browserStorage, tabStorage } from './storage.ts';

/** The prefix of the keys in local storage, which a logout clears. */
export const persistPrefix = 'lendtools-session-user:';

export { tabStorage as inTab };

export function namesIn(storage = browserStorage): string[] {
  return storage
    .keys()
    .filter((key) => key.startsWith(persistPrefix))
    .map((key) => key.slice(persistPrefix.length));
}

export function readKept<T>(name: string, storage = browserStorage): T | null {
  try {
    return JSON.parse(storage.getItem(persistPrefix + name) ?? 'null');
  } catch {
    return null;
  }
}

export function readAllKept<T>(start: string): T[] {
  return namesIn()
    .filter((name) => name.startsWith(start))
    .map((name) => readKept<T>(name))
    .filter((one) => one !== null);
}

/** Stores a value so that it survives a reload; null deletes it. */
export function keep(name: string, value: unknown, storage = browserStorage): void {
  if (value === null) storage.removeItem(persistPrefix + name);
  else storage.setItem(persistPrefix + name, JSON.stringify(value));
}

/** Values that no storage accepts, such as chosen files. They last until the page is reloaded. */
export const inPage = new Map<string, unknown>();

/** Whether a stored draft is another user's; the name of a draft contains its user's id. */
function isDraftOfOthers(name: string, userId: string): boolean {
  return /^(form|draft|unsent):/.test(name) && !name.split(':').includes(userId);
}

export function deleteDraftsOfOthers(userId: string): void {
  for (const name of inPage.keys()) if (isDraftOfOthers(name, userId)) inPage.delete(name);
  for (const storage of [browserStorage, tabStorage])
    for (const name of namesIn(storage))
      if (isDraftOfOthers(name, userId)) keep(name, null, storage);
}

/** Clears what this tab stored for the user, also after a logout in another tab. */
export function clearTab(): void {
  inPage.clear();
  for (const name of namesIn(tabStorage)) keep(name, null, tabStorage);
}
