import { describe, expect, it } from '@jest/globals';
import { rentalInWords } from './rental-words.ts';

const weekend = {
  start_date: '2026-11-28',
  start_time: '9.00 AM',
  end_date: '2026-11-29',
  end_time: '6.00 PM',
};

describe('rentalInWords', () => {
  it.each([
    ['a rental of this week', '2026-11-27', weekend, 'Sat 9:00 AM to Sun 6:00 PM'],
    [
      'a later rental, with its dates',
      '2026-11-20',
      weekend,
      'Sat, Nov 28, 9:00 AM to Sun, Nov 29, 6:00 PM',
    ],
    [
      'a rental of one day',
      '2026-11-27',
      { ...weekend, end_date: '2026-11-28' },
      'Sat 9:00 AM to 6:00 PM',
    ],
    [
      'a rental without times',
      '2026-11-27',
      { ...weekend, start_time: '', end_time: '' },
      'Sat to Sun',
    ],
    [
      'a past rental, with its dates',
      '2026-11-29',
      { ...weekend, start_time: '', end_time: '' },
      'Sat, Nov 28 to Sun, Nov 29',
    ],
  ])('writes %s', (_, today, rental, words) => {
    expect(rentalInWords(rental, today)).toBe(words);
  });
});
