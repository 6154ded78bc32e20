import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isParty, mayRead, mayStillArrive, otherParty, type Thread } from './thread.ts';

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

  it('are read by admins too, and by nobody else', () => {
    const readers = [
      { userId: 'owner', role: 'User' },
      { userId: 'stranger', role: 'Admin' },
      { userId: 'stranger', role: 'User' },
    ].map((reader) => mayRead(thread, reader));

    expect(readers).toEqual([true, true, false]);
  });

  it('write to each other', () => {
    expect(otherParty(thread, 'owner')).toBe('renter');
    expect(otherParty(thread, 'renter')).toBe('owner');
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
