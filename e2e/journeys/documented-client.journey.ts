import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { whileFrozen } from '../src/marketplace.ts';
import { api, listTool, newPerson, type Person } from '../src/people.ts';
import {
  bookingsOf,
  createIntent,
  intentIdOf,
  letItBegin,
  letItComplete,
  line,
  payByCard,
  stripe,
} from '../src/purchases.ts';

/** Pays before a hold or a booking exists, as a client written to the original API documentation does. */
const payInAdvance = async (renter: Person, amount: number): Promise<string> => {
  const { status, body } = await createIntent(renter, { amount });
  expect(status).toBe(201);
  await payByCard(body.clientSecret);
  const paymentIntentId = intentIdOf(body.clientSecret);
  const confirmed = await api().put(`/api/payment/confirm-payment/${body.paymentId}`, {
    token: renter.token,
    body: { paymentIntentId, amount, userId: renter.id },
  });
  expect(confirmed.status).toBe(200);
  return paymentIntentId;
};

describe('a client that knows only the documented calls', () => {
  it('can sign up, list a tool, pay, book, chat and review', async () => {
    const [owner, renter] = await Promise.all([newPerson(), newPerson({ first_name: 'Sam' })]);
    const toolId = await listTool(owner, { price: 12.5 });
    const cartLine = line(toolId, 0, 2);

    await payInAdvance(renter, 2_500);
    const booked = await api().post(`/api/user/${renter.id}/add-rental-booking`, {
      token: renter.token,
      body: { ...cartLine, authorization: 'Authorized', price: 0.01, toolOwnerId: renter.id },
    });
    expect(booked.body).toMatchObject({
      rental: { authorization: 'Authorized', payment: 25, price: 12.5, toolOwnerId: owner.id },
    });
    const bookingId = booked.body.rental.id;

    const noticed = await waitFor("the owner's notice", async () => {
      const reply = await api().post(`/api/user/${owner.id}/notifications/add-notification`, {
        token: renter.token,
        body: { message: 'Your tool has just been booked', userId: owner.id },
      });
      return reply.status === 200 && reply.body.notifications.length > 0 && reply;
    });
    expect(noticed.body.notifications).toHaveLength(1);

    const sent = await waitFor('the thread', async () => {
      const reply = await api().post(`/api/rentalBookings/${bookingId}/send-message`, {
        token: renter.token,
        body: { message: 'Shall I come at nine?', userId: renter.id },
      });
      return reply.status === 201 && reply;
    });
    const messageId = sent.body.messaging.id;
    const answered = await api().post(`/api/user/${owner.id}/messaging/${messageId}/send-reply`, {
      token: owner.token,
      body: { message: 'Nine is fine.' },
    });
    expect(answered.status).toBe(201);
    const replies = await api().get(`/api/replies/${messageId}/my-replies`, {
      token: renter.token,
    });
    expect(replies.body.replies).toMatchObject([{ message: 'Nine is fine.' }]);

    await letItBegin(booked.body.rental.booking_code);
    const returned = await api().put(
      `/api/user/${owner.id}/rentalBookings/update-booking/${bookingId}`,
      {
        token: owner.token,
        body: { authorization: 'Authorized', returned_status: 'Returned' },
      },
    );
    expect(returned.body.rental.returned_status).toBe('Returned');
    const reviewed = await api().post(`/api/user/${renter.id}/reviews/add-review`, {
      token: renter.token,
      body: {
        rentalBooking_id: bookingId,
        userId: renter.id,
        rating: 4,
        rental_id: toolId,
        comment: 'Strong drill.',
      },
    });
    expect(reviewed.status).toBe(201);
    // The owner writes no review, so this one appears 14 days after the completion.
    await letItComplete(booked.body.rental.booking_code, 14);
    await waitFor('the rating', async () => {
      const tool = await api().get(`/api/get-tool/${toolId}`);
      return tool.body.tool[0].rating === 4;
    });
    expect(await bookingsOf(renter)).toHaveLength(1);
  });

  it('gets PAYMENT_REQUIRED when it books before paying', async () => {
    const [owner, renter] = await Promise.all([newPerson(), newPerson()]);
    const toolId = await listTool(owner);

    const booked = await api().post(`/api/user/${renter.id}/add-rental-booking`, {
      token: renter.token,
      body: line(toolId),
    });

    expect(booked).toMatchObject({ status: 402, body: { code: 'PAYMENT_REQUIRED' } });
  });

  it('keeps a booking when the owner deletes the tool before the catalog service has consumed BookingCreated', async () => {
    const [owner, renter] = await Promise.all([newPerson(), newPerson()]);
    const toolId = await listTool(owner, { name: 'Tile saw' });
    const book = () =>
      api().post(`/api/user/${renter.id}/add-rental-booking`, {
        token: renter.token,
        body: line(toolId),
      });
    expect((await book()).body.code).toBe('PAYMENT_REQUIRED');
    const payment_intent = await payInAdvance(renter, 2_500);

    const { booked, deleted } = await whileFrozen('rabbitmq', async () => ({
      booked: await book(),
      deleted: await api().delete(`/api/rentals/delete-tool/${toolId}`, owner),
    }));

    expect([booked.status, deleted.status]).toEqual([201, 200]);
    // Once the bookings service has consumed the deletion, it rejects new bookings of the tool. The existing booking stays,
    // and its owner can still cancel it.
    await waitFor(
      'bookings to remove the tool',
      async () => (await book()).body.code === 'TOOL_NOT_FOUND',
    );
    expect(await bookingsOf(renter)).toMatchObject([
      { name: 'Tile saw', booking_status: 'Booked' },
    ]);
    await waitFor("the owner's notice", async () => {
      const { body } = await api().get(`/api/user/${owner.id}/notifications`, owner);
      return body.notifications.length === 1;
    });
    const cancelled = await api().post(
      `/api/user/${owner.id}/rentalBookings/cancel-booking/${booked.body.rental.id}`,
      { token: owner.token, body: {} },
    );
    expect(cancelled.status).toBe(200);
    await waitFor('the refund', async () => {
      const { data } = await stripe().refunds.list({ payment_intent });
      return data.length === 1 && data[0]?.amount === 2_500;
    });
  });
});
