import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isParty, mayStillArrive, mayTakePart, recipientsOf, type Thread } from './thread.ts';

const thread: Thread = {
  bookingId: 'booking',
  ownerId: 'owner',
  renterId: 'renter',
  toolName: 'Drill',
};

describe('the parties of a thread', () => {
  it('are the owner and the renter alone', () => {
    const writers = ['owner', 'renter', 'stranger'].map((id) => isParty(thread, id));

    expect(writers).toEqual([true, true, false]);
  });

  it('are joined by admins, and by nobody else', () => {
    const readers = [
      { userId: 'owner', role: 'User' },
      { userId: 'stranger', role: 'Admin' },
      { userId: 'stranger', role: 'User' },
    ].map((reader) => mayTakePart(thread, reader));

    expect(readers).toEqual([true, true, false]);
  });

  it('write to each other, and an admin to both', () => {
    expect(recipientsOf(thread, 'owner')).toEqual(['renter']);
    expect(recipientsOf(thread, 'renter')).toEqual(['owner']);
    expect(recipientsOf(thread, 'admin')).toEqual(['owner', 'renter']);
  });
});

describe('an unknown booking', () => {
  it('may still arrive within an hour of its id', () => {
    const id = randomUUIDv7();

    expect(mayStillArrive(id, new Date())).toBe(true);
    expect(mayStillArrive(id, new Date(Date.now() + 61 * 60_000))).toBe(false);
  });

  it('with an id that no service of ours makes never arrives', () => {
    expect(mayStillArrive(randomUUID(), new Date())).toBe(false);
  });
});
