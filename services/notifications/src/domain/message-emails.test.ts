import { describe, expect, it } from '@jest/globals';
import { lastToEmail } from './message-emails.ts';

const sentAfter = (...hours: number[]) =>
  hours.map((hour) => ({ hour, createdAt: new Date(Date.UTC(2026, 5, 1, hour)) }));

describe('lastToEmail', () => {
  it.each([
    [[0], 0],
    [[0, 1, 23], 0],
    [[0, 24], 24],
    [[0, 23, 25, 48], 25],
    [[0, 24, 47, 48], 48],
  ])(
    'from unread messages sent after %j hours, selects the one sent after %d hours',
    (hours, last) => {
      expect(lastToEmail(sentAfter(...hours))?.hour).toBe(last);
    },
  );

  it('selects none if no message is unread', () => {
    expect(lastToEmail([])).toBeUndefined();
  });
});
