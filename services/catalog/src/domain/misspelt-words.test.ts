import { describe, expect, it } from '@jest/globals';
import { correct, countMistakes, mayBeMisspelt, unswapped } from './misspelt-words.ts';

const listed = ['zipline', 'zither', 'laser', 'table'].map((word) => ({ word, tools: 1 }));

describe('correct', () => {
  it.each([
    ['ziplne', 'zipline'],
    ['zihter', 'zither'],
    ['zitherr', 'zither'],
    ['lader', 'ladder'],
    ['drlil', 'drill'],
    ['presure', 'pressure'],
    ['chiansaw', 'chainsaw'],
    ['genrator', 'generator'],
  ])('corrects the word %s to %s', (typed, meant) => {
    expect(correct(typed, listed)).toBe(meant);
  });

  it.each(['xylophone', 'zzzzzz', 'cable'])('does not correct the word %s', (typed) => {
    expect(correct(typed, listed)).toBeUndefined();
  });

  it('keeps a known word, and corrects an unknown one to the more common of two equally close words', () => {
    const two = [
      { word: 'tarp', tools: 2 },
      { word: 'tark', tools: 9 },
    ];

    expect(correct('zither', listed)).toBe('zither');
    expect(correct('tarq', two)).toBe('tark');
  });
});

describe('countMistakes', () => {
  it.each([
    ['drill', 'drill', 0],
    ['dril', 'drill', 0.5],
    ['drilll', 'drill', 0.5],
    ['drull', 'drill', 1],
    ['dirll', 'drill', 1],
    ['dreill', 'drill', 1],
    ['', 'ab', 2],
  ])('compares typed %j with intended %j and counts %d mistakes', (typed, meant, mistakes) => {
    expect(countMistakes(typed, meant)).toBe(mistakes);
  });
});

describe('unswapped', () => {
  it('undoes swapped letters and an extra letter', () => {
    expect(unswapped('drlil')).toContain('drill');
    expect(unswapped('saww')).toContain('saw');
    expect(unswapped('saw')).not.toContain('saw');
  });
});

describe('mayBeMisspelt', () => {
  it.each([
    ['drill', true],
    ['18v', true],
    ['2200', false],
    ['ab', false],
    ['x'.repeat(31), false],
  ])('decides whether the word %s may be misspelt: %s', (word, may) => {
    expect(mayBeMisspelt(word)).toBe(may);
  });
});
