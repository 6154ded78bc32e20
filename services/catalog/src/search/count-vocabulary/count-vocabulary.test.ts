import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';
import { countVocabulary } from './count-vocabulary.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const counts = async (): Promise<Record<string, number>> => {
  const { rows } = await catalog.pool.query('SELECT word, tools FROM vocabulary ORDER BY word');
  return Object.fromEntries(rows.map(({ word, tools }) => [word, tools]));
};

describe('countVocabulary', () => {
  it('counts the tools with a word in their name, and deletes unused words', async () => {
    const owner = await catalog.addOwner();
    const [small, large] = [
      await catalog.addTool(owner, { name: 'Small anvil, 5 lb' }),
      await catalog.addTool(owner, { name: 'Large anvil (anvil!)' }),
    ];
    expect(await counts()).toEqual({ anvil: 0, large: 0, small: 0 });

    expect(await countVocabulary(catalog.pool)).toBe(2);
    expect(await counts()).toEqual({ anvil: 2, large: 1, small: 1 });

    await catalog.http.delete(`/api/rentals/delete-tool/${small.id}`, { token: owner.token });
    await catalog.http.put(`/api/update-rental/${large.id}`, {
      token: owner.token,
      body: { name: 'Huge anvil' },
    });
    const both = [countVocabulary(catalog.pool), countVocabulary(catalog.pool)];
    expect((await Promise.all(both)).reduce((a, b) => a + b)).toBe(2);
    await countVocabulary(catalog.pool);
    expect(await counts()).toEqual({ anvil: 1, huge: 1 });
  });

  it('deletes any number of unused words in one run', async () => {
    await catalog.pool.query(
      `INSERT INTO vocabulary (word, tools) SELECT 'unused' || n, 0 FROM generate_series(1, 2500) n`,
    );

    await countVocabulary(catalog.pool);

    expect(Object.keys(await counts()).filter((word) => word.startsWith('unused'))).toEqual([]);
  });

  it('keeps the word of a tool that was just listed', async () => {
    const owner = await catalog.addOwner();
    const counting = countVocabulary(catalog.pool);
    await catalog.addTool(owner, { name: 'Trowel' });
    await counting;

    expect(await counts()).toHaveProperty('trowel');
  });
});
