import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isParty, mayStillArrive, mayTakePart, recipientsOf, type Thread } from './thread.ts';

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
