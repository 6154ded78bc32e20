import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedReview } from '@lendtools/contracts';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { fromToday, reviewsAt } from '../../../test/reviews.ts';

let service: BookingsService;
let admin: Person;
let renter: Person;
let owner: Person;
let booked: { id: string; code: string; toolId: string }[];
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
  renter = await service.neighbor({ firstName: 'Ray', lastName: 'Fox' });
  owner = await service.neighbor({ firstName: 'Olga', lastName: 'Ivy' });
  const { toolId } = await service.tool({ ownerId: owner.userId, units: 3 });
  booked = [];
  for (const [rating, comment] of [
    [5, 'Great.'],
    [1, 'It was broken_and dirty.'],
    [2, 'Weak.'],
  ]) {
    const { id, code } = await service.booked(renter, toolId, fromToday);
    booked.push({ id, code, toolId });
    await review(renter, id, rating, { comment });
  }
});
afterAll(() => service.stop());

const { review, reviewRenter, completeDaysAgo } = reviewsAt(() => service);

const list = async (
  query = '',
): Promise<{ reviews: ListedReview[]; total: number; nextCursor: string | null }> =>
  (await service.http.get(`/api/admin/reviews${query}`, admin)).body;
const commentsIn = ({ reviews }: { reviews: ListedReview[] }) =>
  reviews.map(({ comment }) => comment);

describe('GET /api/admin/reviews', () => {
  it('lists all reviews with their tool, booking and parties, newest first', async () => {
    const all = await list();

    expect(commentsIn(all)).toEqual(['Weak.', 'It was broken_and dirty.', 'Great.']);
    expect(all.total).toBe(3);
    expect(all.reviews[2]).toEqual({
      id: expect.any(String),
      rating: 5,
      comment: 'Great.',
      toolId: booked[0]?.toolId,
      toolName: 'Hammer drill',
      bookingId: booked[0]?.id,
      bookingCode: booked[0]?.code,
      renter: { id: renter.userId, first_name: 'Ray', last_name: 'Fox' },
      owner: { id: owner.userId, first_name: 'Olga', last_name: 'Ivy' },
      createdAt: expect.any(String),
      publishedAt: null,
    });
  });

  it('finds by the stars and by part of the comment', async () => {
    expect(commentsIn(await list('?stars=2'))).toEqual(['Weak.', 'It was broken_and dirty.']);
    expect(commentsIn(await list('?q=BROKEN_'))).toEqual(['It was broken_and dirty.']);
    expect(commentsIn(await list('?q=broken%25'))).toEqual([]);
    expect(commentsIn(await list('?q=weak&stars=1'))).toEqual([]);
  });

  it('pages by cursor', async () => {
    const page = await list('?limit=2');
    const next = await list(`?limit=2&cursor=${page.nextCursor}`);

    expect([...commentsIn(page), ...commentsIn(next)]).toEqual(commentsIn(await list()));
    expect(next.nextCursor).toBeNull();
  });

  it('lists a review of the admin’s own tool only once it appears', async () => {
    const ownerAdmin = await service.person('Admin');
    const { toolId } = await service.tool({ ownerId: ownerAdmin.userId });
    const { id } = await service.booked(renter, toolId, fromToday);
    await review(renter, id, 3, { comment: 'Blindfold.' });
    const seenBy = async (reader: Person) =>
      (await service.http.get('/api/admin/reviews?q=blindfold', reader)).body;
    const [early, byOther] = [await seenBy(ownerAdmin), await seenBy(admin)];

    await completeDaysAgo(id);
    await reviewRenter(ownerAdmin, id);

    expect([early.total, early.reviews, commentsIn(byOther)]).toEqual([0, [], ['Blindfold.']]);
    expect((await seenBy(ownerAdmin)).reviews).toMatchObject([
      { comment: 'Blindfold.', publishedAt: expect.any(String) },
    ]);
  });

  it('rejects members with 403, and six stars with 400', async () => {
    expect((await service.http.get('/api/admin/reviews', renter)).status).toBe(403);
    expect((await service.http.get('/api/admin/reviews?stars=6', admin)).status).toBe(400);
  });
});
