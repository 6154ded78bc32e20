import { browserStorage } from '../lib/storage.ts';

/**
 * The storage adapter for redux-persist. The one in redux-persist's `lib/storage` exports its default one level too
 * deep under ESM.
 */
export const persistStorage = {
  getItem: async (key: string) => browserStorage.getItem(key),
  setItem: async (key: string, value: string) => void browserStorage.setItem(key, value),
  removeItem: async (key: string) => browserStorage.removeItem(key),
};
