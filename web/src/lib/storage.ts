/** Browser storage without exceptions: keeps values in memory if the storage is blocked or full. */
interface SafeStorage {
  getItem(key: string): string | null;
  /** Returns whether the value outlasts this page. */
  setItem(key: string, value: string): boolean;
  removeItem(key: string): void;
  keys(): string[];
  clear(): void;
}

function withoutThrowing(open: () => Storage): SafeStorage {
  const inMemory = new Map<string, string>();
  const use = <T>(work: (storage: Storage) => T, otherwise: T): T => {
    try {
      return work(open());
    } catch {
      return otherwise;
    }
  };

  return {
    getItem: (key) => inMemory.get(key) ?? use((storage) => storage.getItem(key), null),
    setItem(key, value) {
      inMemory.delete(key);
      const isStored = use((storage) => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (!isStored) inMemory.set(key, value);
      return isStored;
    },
    removeItem(key) {
      inMemory.delete(key);
      use((storage) => storage.removeItem(key), undefined);
    },
    keys: () => [...new Set([...inMemory.keys(), ...use((storage) => Object.keys(storage), [])])],
    clear() {
      inMemory.clear();
      use((storage) => storage.clear(), undefined);
    },
  };
}

export const browserStorage = withoutThrowing(() => localStorage);
/** This tab's storage; not shared, so two tabs with the same form have separate drafts. */
export const tabStorage = withoutThrowing(() => sessionStorage);
