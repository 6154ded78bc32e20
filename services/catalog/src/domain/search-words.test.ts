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
  ])('reads %j', (typed, words) => {
    expect(wordsOf(typed)).toEqual(words);
  });
});

describe('termsOf', () => {
  it('takes the longest name that it knows as one', () => {
    const terms = termsOf(['electric', 'power', 'washer', 'hose']);

    expect(terms.map(({ typed }) => typed)).toEqual([['electric'], ['power', 'washer'], ['hose']]);
    expect(terms[1]?.names).toContainEqual(['pressure', 'washer']);
    expect(terms[0]?.names).toEqual([['electric']]);
  });
});

describe('tsqueryOf', () => {
  it('asks for each word or its stem, and by relevance for ever more', () => {
    const terms = termsOf(['big', 'saws']);
    const forms = (word: string) =>
      word === 'saws' ? { ...noForms(), stem: 'saw', compounds: ['chainsaws'] } : noForms();

    expect(tsqueryOf(terms, forms, 'typed')).toBe(`((('big')))&((('saws'|'saw')))`);
    expect(tsqueryOf(terms, forms, 'named')).toBe(`((('big')))&((('saws'|'saw'|'saws':*)))`);
    expect(tsqueryOf(terms, forms, 'compound')).toBe(
      `((('big')))&((('saws'|'saw'|'saws':*|'chainsaws')))`,
    );
  });

  it('takes other names of the same thing, but as typed', () => {
    const terms = termsOf(['wrench']);

    expect(tsqueryOf(terms, noForms, 'typed')).not.toContain('spanner');
    expect(tsqueryOf(terms, noForms, 'named')).toContain(`(('spanner'))`);
  });

  it('takes two letters for the beginning of a name, and not of any word of a description', () => {
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

  it('leaves out what says nothing, unless it is all there is', () => {
    expect(textOf(withoutFillers(termsOf(['the', 'drill']), stems))).toBe('drill');
    expect(textOf(withoutFillers(termsOf(['the']), stems))).toBe('the');
  });
});

describe('withLess', () => {
  it('leaves out one after the other, and then all but the last', () => {
    const texts = (typed: string) => withLess(termsOf(wordsOf(typed))).map(textOf);

    expect(texts('old red door')).toEqual(['red door', 'old door', 'old red', 'door']);
    expect(texts('red door')).toEqual(['door', 'red']);
    expect(texts('door')).toEqual([]);
  });

  it('keeps what names a tool', () => {
    const texts = (typed: string) => withLess(termsOf(wordsOf(typed))).map(textOf);

    expect(texts('drill 94 pieces')).toEqual(['drill pieces', 'drill 94', 'drill']);
    expect(texts('ladder red')).toEqual(['ladder', 'ladder']);
  });
});
