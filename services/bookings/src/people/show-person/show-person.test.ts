import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { reviewsAt } from '../../../test/reviews.ts';
import { purgeQuestionAnswers } from '../purge-question-answers/purge-question-answers.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, reviewRenter, reply, lentAndCompleted } = reviewsAt(() => service);

const personOf = (id: string) => service.http.get(`/api/people/${id}`);
const reviewsOf = async (id: string, query: string) =>
  (await service.http.get(`/api/people/${id}/reviews?${query}`)).body;

/** A question that was sent some hours ago, and answered after some minutes. */
const questioned = (
  owner: Person,
  hoursAgo: number,
  {
    minutes = null,
    isContinued = false,
    renterId = randomUUID(),
  }: { minutes?: number | null; isContinued?: boolean; renterId?: string } = {},
) =>
  service.pool.query(
    `INSERT INTO question_answers (thread_id, owner_id, sent_at, answered_at, is_continued, created_at, renter_id)
     SELECT $1, $2, at, at + $4 * interval '1 minute', $5, at, $6 FROM (SELECT now() - $3 * interval '1 hour' AS at)`,
    [randomUUID(), owner.userId, hoursAgo, minutes, isContinued, renterId],
  );

describe('GET /api/people/:id', () => {
  it('shows a person to anyone, with the means of the visible reviews on both sides', async () => {
    const { id, owner, renter, toolId } = await lentAndCompleted();
    await service.booked(renter, toolId);
    await review(renter, id, 4, { ownerRating: 5 });
    const early = await personOf(owner.userId);
    await reviewRenter(owner, id);

    const [ofOwner, ofRenter] = [await personOf(owner.userId), await personOf(renter.userId)];

    expect(early.body.person.asOwner).toMatchObject({ rentals: 1, reviewCount: 0, rating: 0 });
    expect(ofOwner.body.person).toEqual({
      id: owner.userId,
      first_name: 'Olga',
      last_name: 'O.',
      city: 'Chicago',
      state: 'Illinois',
      image: expect.any(String),
      memberSince: expect.any(String),
      emailVerified: false,
      answers: null,
      asOwner: { rentals: 1, reviewCount: 1, rating: 4, ownerRating: 5 },
      asRenter: { rentals: 0, reviewCount: 0, care: 0, punctuality: 0, communication: 0 },
    });
    expect(ofRenter.body.person.asRenter).toEqual({
      rentals: 1,
      reviewCount: 1,
      care: 5,
      punctuality: 4,
      communication: 3,
    });
  });

  it('returns 404 for unknown and for disabled people', async () => {
    const someone = await service.neighbor();
    const event = newEvent(
      'AccountDisabled',
      { id: someone.userId, version: 2 },
      { userId: someone.userId, disabled: true },
    );
    await service.broker.send(event);

    await waitFor('the page to be gone', async () => {
      const { status, body } = await personOf(someone.userId);
      return status === 404 && body.code === 'PERSON_NOT_FOUND';
    });
    expect((await personOf(randomUUID())).status).toBe(404);
    expect((await service.http.get(`/api/people/${randomUUID()}/reviews?as=owner`)).status).toBe(
      404,
    );
  });

  it('returns 404 to users who blocked the person or are blocked', async () => {
    const [one, other] = [await service.neighbor(), await service.neighbor()];
    await service.pool.query(
      'INSERT INTO blocks (blocker_id, blocked_id, version, blocked) VALUES ($1, $2, 1, true)',
      [one.userId, other.userId],
    );
    const seenBy = async (reader: Person, { userId }: Person) => [
      (await service.http.get(`/api/people/${userId}`, reader)).status,
      (await service.http.get(`/api/people/${userId}/reviews?as=owner`, reader)).status,
    ];

    expect([await seenBy(one, other), await seenBy(other, one)]).toEqual([
      [404, 404],
      [404, 404],
    ]);
    expect(await seenBy(await service.person(), one)).toEqual([200, 200]);
  });

  it('shows how an owner answered the questions and requests of 30 days', async () => {
    const owner = await service.neighbor();
    await questioned(owner, 100, { minutes: 30 });
    await questioned(owner, 200, { minutes: 26 * 60 });
    // Not counted: still open, continued by a booking, older than 30 days, from someone whom the owner blocked.
    const renterId = randomUUID();
    await service.pool.query(
      'INSERT INTO blocks (blocker_id, blocked_id, version, blocked) VALUES ($1, $2, 1, true)',
      [owner.userId, renterId],
    );
    await questioned(owner, 95, { renterId });
    await questioned(owner, 2);
    await questioned(owner, 90, { isContinued: true });
    await questioned(owner, 31 * 24, { minutes: 1 });
    const few = (await personOf(owner.userId)).body.person.answers;
    await questioned(owner, 48);
    const requests = [];
    for (const how of ['accept', 'decline', 'withdraw'] as const) {
      const renter = await service.person();
      const { toolId } = await service.toolOnRequest({ ownerId: owner.userId });
      const { id, approvalId } = await service.requested(renter, {
        toolId,
        ownerId: owner.userId,
      });
      requests.push(id);
      await service.answer(how === 'withdraw' ? renter : owner, approvalId, how);
    }

    const { answers } = (await personOf(owner.userId)).body.person;

    expect(few).toBeNull();
    // In time: one question, the accepted and the declined request. Late or never: two questions.
    expect(answers).toMatchObject({ count: 5, percent: 60 });
    expect(answers.medianMinutes).toBeLessThan(31);
  });

  it('no longer stores questions after 31 days', async () => {
    const owner = await service.neighbor();
    for (const days of [30, 32]) await questioned(owner, days * 24);

    await purgeQuestionAnswers(service.pool);

    const { rowCount } = await service.pool.query(
      'SELECT FROM question_answers WHERE owner_id = $1',
      [owner.userId],
    );
    expect(rowCount).toBe(1);
  });
});

describe('GET /api/people/:id/reviews', () => {
  it('lists the visible reviews of an owner and of a renter with their replies, in pages', async () => {
    const { id, owner, renter } = await lentAndCompleted();
    const { body } = await review(renter, id, 4, { ownerRating: 5 });
    const hidden = await reviewsOf(owner.userId, 'as=owner');
    await reviewRenter(owner, id);
    await reply(owner, body.review.id, 'Come again.');

    const ofOwner = await reviewsOf(owner.userId, 'as=owner');
    const ofRenter = await reviewsOf(renter.userId, 'as=renter');
    const page = await reviewsOf(owner.userId, 'as=owner&limit=1');
    const next = await reviewsOf(owner.userId, `as=owner&cursor=${ofOwner.reviews[0].id}`);

    expect(hidden.reviews).toEqual([]);
    expect(ofOwner.reviews).toEqual([
      {
        id: body.review.id,
        toolName: 'Hammer drill',
        rating: 4,
        ownerRating: 5,
        parts: null,
        comment: 'Drilled well.',
        reply: { text: 'Come again.', at: expect.any(String) },
        author: { id: renter.userId, first_name: 'Ray', last_name: 'R.', image: 'null' },
        createdAt: expect.any(String),
      },
    ]);
    expect(ofRenter.reviews).toMatchObject([
      {
        rating: 4,
        ownerRating: null,
        parts: { care: 5, punctuality: 4, communication: 3 },
        reply: null,
        author: { id: owner.userId, first_name: 'Olga', last_name: 'O.' },
      },
    ]);
    expect([page.nextCursor, next.reviews]).toEqual([null, []]);
    expect((await reviewsOf(owner.userId, 'as=nobody')).code).toBe('VALIDATION_FAILED');
  });
});
