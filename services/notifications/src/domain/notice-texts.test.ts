import { describe, expect, it } from '@jest/globals';
import {
  countInWords,
  dollarsInWords,
  excerpt,
  listInWords,
  momentInWords,
  periodInWords,
} from './formats.ts';
import { messageArrived, reviewAdded, toolBooked, whyRefunded } from './notice-texts.ts';

describe('the formatting functions', () => {
  it('format money, periods, lists and points in time', () => {
    expect([
      dollarsInWords(123_456),
      periodInWords({ period: 1, rentalCircle: 'hourly' }),
      periodInWords({ period: 2, rentalCircle: 'daily' }),
      countInWords(0, 'star'),
      listInWords(['Drill', 'Ladder', 'Saw']),
      momentInWords('2026-06-01', ''),
      momentInWords('2026-06-01', '7.00 AM'),
    ]).toEqual([
      '$1,234.56',
      '1 hour',
      '2 days',
      '0 stars',
      'Drill, Ladder, and Saw',
      'Monday, June 1, 2026',
      'Monday, June 1, 2026, 7:00 AM',
    ]);
  });

  it('shorten a text to one line', () => {
    expect(excerpt('  two\n\nlines ')).toBe('two lines');
    expect(excerpt('x'.repeat(200), 10)).toBe('xxxxxxxxx…');
  });
});

describe('a notice', () => {
  it('begins with the documented words if it informs an owner of a booking', () => {
    expect(toolBooked({ toolName: 'Drill' })).toBe('Your tool has just been booked: Drill');
  });

  it('names the author of a message or review, and quotes its text', () => {
    const message = { fromFirstName: 'Rita', toolName: 'Drill', text: 'Hi' };
    const review = { toolName: 'Drill', rating: 1, changed: false, comment: 'Meh' };

    expect(messageArrived(message)).toBe('Rita about Drill: “Hi”');
    expect(reviewAdded(review, 'Rita')).toBe('Rita gave Drill 1 star: “Meh”');
    expect(reviewAdded({ ...review, comment: '' }, 'Rita')).toBe('Rita gave Drill 1 star.');
  });

  it('states the reason for a refund, even without tool names', () => {
    expect(whyRefunded({ reason: 'cancelled', toolNames: [] })).toBe(
      'The booking of your tool was cancelled.',
    );
  });

  it('states a reason for the refund of a late payment that is also true if the payment was for a change', () => {
    expect(whyRefunded({ reason: 'unassigned', toolNames: ['Drill'] })).toBe(
      'Your payment came too late, so nothing was booked or changed with it.',
    );
  });
});
