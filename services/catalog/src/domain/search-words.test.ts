import { describe, expect, it } from '@jest/globals';
import { termsOf, textOf, tsqueryOf, withLess, withoutFillers, wordsOf } from './search-words.ts';

const noForms = () => ({ stem: undefined, compounds: [], tools: 0 });

describe('wordsOf', () => {
  it.each([
    ['  Cordless   DRILL ', ['cordless', 'drill']],
    ["Mechanic's ½-inch 18V", ['mechanics', '1', '2', 'inch', '18v']],
    ['Café', ['cafe']],
    [`%_\\'";--`, []],
    ['a b c d e f g h i j', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
  ])('splits %j into words', (typed, words) => {
    expect(wordsOf(typed)).toEqual(words);
  });
});

describe('termsOf', () => {
  it('joins neighboring words of a query to the longest known name of a tool', () => {
    const terms = termsOf(['electric', 'power', 'washer', 'hose']);

    expect(terms.map(({ typed }) => typed)).toEqual([['electric'], ['power', 'washer'], ['hose']]);
    expect(terms[1]?.names).toContainEqual(['pressure', 'washer']);
    expect(terms[0]?.names).toEqual([['electric']]);
  });
});

describe('tsqueryOf', () => {
  it('matches a word or its stem, and with a wider reach also words that start or end with the word', () => {
    const terms = termsOf(['big', 'saws']);
    const forms = (word: string) =>
      word === 'saws' ? { ...noForms(), stem: 'saw', compounds: ['chainsaws'] } : noForms();

    expect(tsqueryOf(terms, forms, 'typed')).toBe(`((('big')))&((('saws'|'saw')))`);
    expect(tsqueryOf(terms, forms, 'named')).toBe(`((('big')))&((('saws'|'saw'|'saws':*)))`);
    expect(tsqueryOf(terms, forms, 'compound')).toBe(
      `((('big')))&((('saws'|'saw'|'saws':*|'chainsaws')))`,
    );
  });

  it('matches synonyms, unless only the words as typed are searched', () => {
    const terms = termsOf(['wrench']);

    expect(tsqueryOf(terms, noForms, 'typed')).not.toContain('spanner');
    expect(tsqueryOf(terms, noForms, 'named')).toContain(`(('spanner'))`);
  });

  it('uses two letters as a prefix in names, but not in descriptions', () => {
    const terms = termsOf(['dr']);

    expect(tsqueryOf(terms, noForms, 'named')).toContain(`'dr':*`);
    expect(tsqueryOf(terms, noForms, 'compound')).not.toContain(':*');
  });
});

describe('withoutFillers', () => {
  const stems = (word: string) => ({
    ...noForms(),
    stem: word === 'the' ? undefined : word,
  });

  it('drops stop words from a query, unless it has nothing else', () => {
    expect(textOf(withoutFillers(termsOf(['the', 'drill']), stems))).toBe('drill');
    expect(textOf(withoutFillers(termsOf(['the']), stems))).toBe('the');
  });
});

describe('withLess', () => {
  it('drops each term of a query in turn, then all but the last terms', () => {
    const texts = (typed: string) => withLess(termsOf(wordsOf(typed))).map(textOf);

    expect(texts('old red door')).toEqual(['red door', 'old door', 'old red', 'door']);
    expect(texts('red door')).toEqual(['door', 'red']);
    expect(texts('door')).toEqual([]);
  });

  it('keeps the term that names a tool when it drops other terms', () => {
    const texts = (typed: string) => withLess(termsOf(wordsOf(typed))).map(textOf);

    expect(texts('drill 94 pieces')).toEqual(['drill pieces', 'drill 94', 'drill']);
    expect(texts('ladder red')).toEqual(['ladder', 'ladder']);
  });
});
