import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { reviewsAt } from '../../../test/reviews.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, reviewRenter, reply, lentAndCompleted, reviewsOf } = reviewsAt(() => service);

/** A booking with the reviews of both parties. */
const reviewed = async () => {
  const booking = await lentAndCompleted();
  const { body } = await review(booking.renter, booking.id);
  const ofRenter = await reviewRenter(booking.owner, booking.id);
  return {
    ...booking,
    ofTool: body.review.id as string,
    ofRenter: ofRenter.body.rental.renterReview.id as string,
  };
};

describe('POST /api/user/:userId/reviews/:id/reply', () => {
  it('adds the one reply of each reviewed person', async () => {
    const { id, owner, renter, ofTool, ofRenter } = await reviewed();

    const replies = [
      await reply(owner, ofTool, 'Come again.'),
      await reply(owner, ofTool, 'Come again.'),
      await reply(renter, ofRenter, 'Gladly.'),
    ];
    const again = [await reply(owner, ofTool, 'No.'), await reply(renter, ofRenter, 'No.')];

    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const { status, body } of again)
      expect([status, body.code]).toEqual([409, 'REVIEW_REPLIED']);
    const { reviews } = await reviewsOf(`rentalBooking_id=${id}`);
    expect(reviews[0].reply).toEqual({ text: 'Come again.', at: expect.any(String) });
    expect((await service.seen(owner, id)).renterReview.reply.text).toBe('Gladly.');
  });

  it('adds one of two replies that are sent at the same time', async () => {
    const { owner, ofTool } = await reviewed();

    const replies = await Promise.all(['One.', 'Two.'].map((text) => reply(owner, ofTool, text)));

    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('rejects the author, others, a review that has not appeared and an empty reply', async () => {
    const { owner, renter, ofTool, ofRenter } = await reviewed();
    const waiting = await lentAndCompleted();
    const { body } = await review(waiting.renter, waiting.id);

    const replies = [
      await reply(renter, ofTool),
      await reply(owner, ofRenter),
      await reply(await service.person('Admin'), ofTool),
      await reply(waiting.owner, body.review.id),
      await reply(owner, randomUUID()),
    ];

    for (const { status, body: problem } of replies)
      expect([status, problem.code]).toEqual([404, 'REVIEW_NOT_FOUND']);
    expect((await reply(owner, ofTool, '  ')).status).toBe(400);
  });
});
