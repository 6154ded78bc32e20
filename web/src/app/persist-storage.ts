import { browserStorage } from '../lib/storage.ts';

/** As redux-persist wants it. Its own `lib/storage` is nested one default too deep under ESM. */
export const persistStorage = {
  getItem: async (key: string) => browserStorage.getItem(key),
  setItem: async (key: string, value: string) => void browserStorage.setItem(key, value),
  removeItem: async (key: string) => browserStorage.removeItem(key),
};
