import { browserStorage, tabStorage } from './storage.ts';

/** Within local storage, so that a logout forgets it with everything else of the person. */
export const persistPrefix = 'lendtools-session-user:';

export { tabStorage as inTab };

const namesIn = (storage = browserStorage): string[] =>
  storage
    .keys()
    .filter((key) => key.startsWith(persistPrefix))
    .map((key) => key.slice(persistPrefix.length));

/** What this browser, or tab, keeps under a name, or null. */
export function readKept<T>(name: string, storage = browserStorage): T | null {
  try {
    return JSON.parse(storage.getItem(persistPrefix + name) ?? 'null');
  } catch {
    return null;
  }
}

/** Everything kept under names that begin so. */
export function readAllKept<T>(start: string): T[] {
  return namesIn()
    .filter((name) => name.startsWith(start))
    .map((name) => readKept<T>(name))
    .filter((one) => one !== null);
}

/** Keeps a value over a reload; null forgets it. */
export function keep(name: string, value: unknown, storage = browserStorage): void {
  if (value === null) storage.removeItem(persistPrefix + name);
  else storage.setItem(persistPrefix + name, JSON.stringify(value));
}

/** What no storage accepts, such as chosen files: until the page is reloaded. */
export const inPage = new Map<string, unknown>();

/** What forms and threads keep; the id of who typed it is a part of its name. */
const isDraftOfOthers = (name: string, userId: string): boolean =>
  /^(form|draft|unsent):/.test(name) && !name.split(':').includes(userId);

/** Deletes the drafts of everybody else who has used this browser. */
export function forgetDraftsOfOthers(userId: string): void {
  for (const name of inPage.keys()) if (isDraftOfOthers(name, userId)) inPage.delete(name);
  for (const storage of [browserStorage, tabStorage])
    for (const name of namesIn(storage))
      if (isDraftOfOthers(name, userId)) keep(name, null, storage);
}

/** What this tab keeps goes with the person, also when the logout was in another tab. */
export function forgetTab(): void {
  inPage.clear();
  for (const name of namesIn(tabStorage)) keep(name, null, tabStorage);
}
