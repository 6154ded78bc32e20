/** Within local storage, so that a logout forgets it with everything else of the person. */
export const persistPrefix = 'lendtools-session-user:';

const inBrowser = () => localStorage;
/** Only in this tab: two tabs with the same form do not overwrite each other's. */
export const inTab = () => sessionStorage;

/** What this browser, or tab, keeps under a name, or null; also where storage is forbidden. */
export function readKept<T>(name: string, storage = inBrowser): T | null {
  try {
    return JSON.parse(storage().getItem(persistPrefix + name) ?? 'null');
  } catch {
    return null;
  }
}

/** Everything kept under names that begin so. */
export function readAllKept<T>(start: string): T[] {
  try {
    const names = Object.keys(localStorage).filter((key) => key.startsWith(persistPrefix + start));
    return names
      .map((key) => readKept<T>(key.slice(persistPrefix.length)))
      .filter((one) => one !== null);
  } catch {
    return [];
  }
}

/** Keeps a value over a reload; null forgets it. */
export function keep(name: string, value: unknown, storage = inBrowser): void {
  try {
    if (value === null) storage().removeItem(persistPrefix + name);
    else storage().setItem(persistPrefix + name, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs only what a reload would have kept.
  }
}

/** What no storage accepts, such as chosen files: until the page is reloaded. */
export const inPage = new Map<string, unknown>();

/** What forms and threads keep; the id of who typed it is a part of its name. */
const isDraftOfOthers = (name: string, userId: string): boolean =>
  /^(form|draft|unsent):/.test(name) && !name.split(':').includes(userId);

/** Deletes the drafts of everybody else who has used this browser. */
export function forgetDraftsOfOthers(userId: string): void {
  for (const name of inPage.keys()) if (isDraftOfOthers(name, userId)) inPage.delete(name);
  for (const storage of [inBrowser, inTab]) {
    try {
      const names = Object.keys(storage())
        .filter((key) => key.startsWith(persistPrefix))
        .map((key) => key.slice(persistPrefix.length));
      for (const name of names) if (isDraftOfOthers(name, userId)) keep(name, null, storage);
    } catch {
      // Nothing was kept, then.
    }
  }
}

/** What this tab keeps goes with the person, also when the logout was in another tab. */
export function forgetTab(): void {
  inPage.clear();
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(persistPrefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing was kept, then.
  }
}
