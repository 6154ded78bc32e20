import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import sharp from 'sharp';
import { mongo, moveInTime, query } from '../src/marketplace.ts';
import { api, formOf, listTool, newVerifiedPerson, type Person } from '../src/people.ts';
import { book, line } from '../src/purchases.ts';
import { findInStores } from '../src/stores.ts';

const size = (name: string, usual: number): number => Number(process.env[name] ?? usual);
/** `DELETED_BOOKINGS=50 DELETED_MESSAGES=500 DELETED_REVIEWS=20` is a long life. */
const counts = {
  bookings: size('DELETED_BOOKINGS', 2),
  messages: size('DELETED_MESSAGES', 3),
  reviews: size('DELETED_REVIEWS', 1),
};

const picture = async (): Promise<Blob> => {
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
  const png = sharp({ create: { width: 64, height: 64, channels: 3, background } }).png();
  return new Blob([new Uint8Array(await png.toBuffer())], { type: 'image/png' });
};

const post = async (person: Person, path: string, body: object): Promise<Record<string, never>> => {
  const reply = await api().post(path, { token: person.token, body });
  if (reply.status >= 300) throw new Error(`${path} answered ${JSON.stringify(reply.body)}`);
  return reply.body;
};

/** Rents and lends, writes and reviews. @returns words that only this person's data contain */
const live = async (person: Person, owner: Person, words: string[]): Promise<string[]> => {
  const shown = await api().put(`/api/update-account/${person.id}`, {
    token: person.token,
    body: formOf({ image: await picture() }),
  });
  const ownTool = await listTool(person, {
    description: `Ask for ${words[0]}`,
    cover_image: await picture(),
  });
  const { body } = await api().get(`/api/get-tool/${ownTool}`);
  const toolId = await listTool(owner, { quantity: counts.bookings });
  const booked: { id: string }[] = [];
  for (let n = 0; n < counts.bookings; n++) booked.push(await book(person, [line(toolId)]));
  const [first] = booked as [{ id: string }];
  const started = await waitFor('the thread', async () => {
    const path = `/api/rentalBookings/${first.id}/send-message`;
    const reply = await api().post(path, { token: person.token, body: { message: 'Hello' } });
    return reply.status === 201 && reply.body.messaging.id;
  });
  for (let n = 1; n < counts.messages; n++)
    await post(person, `/api/user/${person.id}/messaging/${started}/send-reply`, {
      message: `Hello ${n}`,
    });
  await query(
    'bookings',
    `UPDATE bookings SET starts_at = now() - interval '4 days', ends_at = now() - interval '3 days' WHERE user_id = $1`,
    [person.id],
  );
  for (const { id } of booked.slice(0, counts.reviews))
    await post(person, `/api/user/${person.id}/reviews/add-review`, {
      rentalBooking_id: id,
      rating: 5,
      comment: 'Strong.',
    });
  await query(
    'bookings',
    `UPDATE bookings SET status = 'completed', completed_at = now() WHERE user_id = $1 AND status = 'confirmed'`,
    [person.id],
  );
  return [shown.body.user.image, body.tool[0].cover_image].map((path: string) =>
    path.slice(-42, -9),
  );
};

describe('the deletion of an account', () => {
  it('leaves no name, email, phone, address or picture in any store', async () => {
    const unique = `${randomInt(1e8, 1e9)}`;
    const words = [
      `Zelda${unique}`,
      `Quist${unique}`,
      `+1 512 ${unique.slice(0, 7)}`,
      `${unique} Birch Lane`,
    ];
    const [firstName, lastName, phone, address] = words as [string, string, string, string];
    const [person, owner] = await Promise.all([
      newVerifiedPerson({
        first_name: firstName,
        last_name: lastName,
        user_name: firstName,
        phone,
        address,
      }),
      newVerifiedPerson({ first_name: 'Olga' }),
    ]);
    const pictures = await live(person, owner, words);
    const searched = [...words, person.email, ...pictures];
    expect((await findInStores(searched)).length).toBeGreaterThan(counts.bookings);

    await post(person, `/api/user/${person.id}/deletion`, {});
    await moveInTime('accounts', 'UPDATE users SET deletion_due_at = now() WHERE id = $1', [
      person.id,
    ]);

    // Emails about messages wait for two minutes.
    const due = { $set: { dueAt: new Date(0) } };
    await mongo('notifications', (db) =>
      db.collection('emails').updateMany({ userId: owner.id, status: 'queued' }, due),
    );
    let found: string[] = [];
    await waitFor('every store to have erased the person', async () => {
      found = await findInStores(searched);
      return found.length === 0;
    }).catch(() => expect(found).toEqual([]));
    const { body } = await api().get(`/api/rentalBookings/my-bookings`, { token: owner.token });
    expect(body.bookings[0].user).toMatchObject({ first_name: 'Deleted', last_name: 'user' });
  });
});
