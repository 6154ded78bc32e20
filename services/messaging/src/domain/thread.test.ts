import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  isClosed,
  isParty,
  mayStillArrive,
  mayTakePart,
  recipientsOf,
  type Thread,
} from './thread.ts';

const thread: Thread = {
  bookingId: 'booking',
  ownerId: 'owner',
  renterId: 'renter',
  toolName: 'Drill',
};

describe('the rules of a thread', () => {
  it('treat only the owner and the renter as parties', () => {
    const writers = ['owner', 'renter', 'stranger'].map((id) => isParty(thread, id));

    expect(writers).toEqual([true, true, false]);
  });

  it('let parties and admins take part, and no other user', () => {
    const readers = [
      { userId: 'owner', role: 'User' },
      { userId: 'stranger', role: 'Admin' },
      { userId: 'stranger', role: 'User' },
    ].map((reader) => mayTakePart(thread, reader));

    expect(readers).toEqual([true, true, false]);
  });

  it("address a party's message to the other party, and an admin's message to both", () => {
    expect(recipientsOf(thread, 'owner')).toEqual(['renter']);
    expect(recipientsOf(thread, 'renter')).toEqual(['owner']);
    expect(recipientsOf(thread, 'admin')).toEqual(['owner', 'renter']);
  });
});

describe('isClosed', () => {
  const now = new Date('2026-06-30T12:00:00Z');
  const overFor = (days: number) => ({
    ...thread,
    overAt: new Date(now.getTime() - days * 86_400_000),
  });
  const question = { ...thread, toolId: 'tool' };

  it.each([
    ['a booking that is not over', thread, false, false],
    ['a booking that was over 29 days ago', overFor(29), false, false],
    ['a booking that was over 30 days ago', overFor(30), false, true],
    ['a question', question, false, false],
    ['a booking that is not over, with a block', thread, true, false],
    ['a booking that was over today, with a block', overFor(0), true, true],
    ['a question, with a block', question, true, true],
    ['a completed booking whose tool is out', { ...overFor(29), isToolOut: true }, true, false],
    ['one that was over 30 days ago', { ...overFor(30), isToolOut: true }, true, true],
  ])('decides for %s', (_, which, isBlocked, closed) => {
    expect(isClosed(which, { now, isBlocked })).toBe(closed);
  });
});

describe('mayStillArrive', () => {
  it('returns true for an unknown booking until an hour after its id was created', () => {
    const id = randomUUIDv7();

    expect(mayStillArrive(id, new Date())).toBe(true);
    expect(mayStillArrive(id, new Date(Date.now() + 61 * 60_000))).toBe(false);
  });

  it('returns false for a booking whose id is not a UUIDv7', () => {
    expect(mayStillArrive(randomUUID(), new Date())).toBe(false);
  });
});
