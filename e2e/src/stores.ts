import { serviceNames } from '@lendtools/contracts';
import { findDocumentsWith, findRowsWith } from '@lendtools/testing';
import { marketplace, mongo, query } from './marketplace.ts';

const findIn = async (service: string, words: string[]): Promise<string[]> => {
  const isMongo = marketplace().databases[service]?.startsWith('mongodb');
  const found = isMongo
    ? await mongo(service, (connection) => findDocumentsWith(connection, words))
    : await findRowsWith(
        { query: async (sql, values) => ({ rows: await query(service, sql, values) }) },
        words,
      );
  return found.map((text) => `${service}.${text}`);
};

/** Every row and document, of all services, that contains one of the words. */
export const findInStores = async (words: string[]): Promise<string[]> =>
  (await Promise.all(serviceNames.map((service) => findIn(service, words)))).flat();
