/**
 * The three functions that redux-persist needs. Its own `lib/storage` is nested one default too
 * deep under ESM, and private windows throw on access, which must not stop the app.
 */
export const browserStorage = {
  getItem: async (key: string): Promise<string | null> => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  setItem: async (key: string, value: string): Promise<void> => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // A full or forbidden storage costs only the memory between visits.
    }
  },
  removeItem: async (key: string): Promise<void> => {
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was stored, then.
    }
  },
};
