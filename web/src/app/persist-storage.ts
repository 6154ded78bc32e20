import { browserStorage } from '../lib/storage.ts';

/** Replaces redux-persist's `lib/storage`, whose default export is one level too deep under ESM. */
export const persistStorage = {
  getItem: async (key: string) => browserStorage.getItem(key),
  setItem: async (key: string, value: string) => void browserStorage.setItem(key, value),
  removeItem: async (key: string) => browserStorage.removeItem(key),
};
