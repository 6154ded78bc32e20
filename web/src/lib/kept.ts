/** Within local storage, so that a logout forgets it with everything else of the person. */
const prefix = 'lendtools-session-user:';

/** What this browser keeps under a name, or null; also where storage is forbidden. */
export function readKept<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null');
  } catch {
    return null;
  }
}

/** Everything kept under names that begin so. */
export function readAllKept<T>(start: string): T[] {
  try {
    const names = Object.keys(localStorage).filter((key) => key.startsWith(prefix + start));
    return names.map((key) => readKept<T>(key.slice(prefix.length))).filter((one) => one !== null);
  } catch {
    return [];
  }
}

/** Keeps a value over a reload; null forgets it. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs only what a reload would have kept.
  }
}

/** As `readKept`, of this tab alone: two tabs with the same form do not overwrite each other's. */
export function readKeptInTab<T>(name: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value over a reload of this tab; null forgets it. */
export function keepInTab(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // As above.
  }
}

/** What this tab keeps goes with the person, also when the logout was in another tab. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing was kept, then.
  }
}
