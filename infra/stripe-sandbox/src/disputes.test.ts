import { describe, expect, it } from '@jest/globals';
import {
  browser,
  createIntent,
  endpoint,
  ledger,
  post,
  stripe,
  useSandbox,
} from '../test/sandbox.ts';

useSandbox();

const paid = async () => {
  const intent = await createIntent();
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  return intent.id;
};

describe('disputes', () => {
  it.each([
    ['won', 'charge.dispute.funds_reinstated', [-4200, 4200]],
    ['lost', 'charge.dispute.closed', [-4200]],
  ])('emits, for a dispute that is %s, the event %s', async (outcome, event, moved) => {
    const payment_intent = await paid();

    const { id } = await post('/sandbox/disputes', { payment_intent });
    await post(`/sandbox/disputes/${id}/answer`);
    await post(`/sandbox/disputes/${id}/close`, { outcome });
    await endpoint.received(event);

    const dispute = await stripe.disputes.retrieve(id);
    expect(dispute).toMatchObject({ status: outcome, amount: 4200, payment_intent });
    expect(dispute.balance_transactions.map((one) => one.amount)).toEqual(moved);
    expect((await stripe.disputes.list({ payment_intent })).data).toEqual([dispute]);
    expect(await ledger()).toMatchObject({ disputes: [{ id, status: outcome }] });
  });

  it('emits events for the opening of a dispute and the withdrawal of its funds', async () => {
    await post('/sandbox/disputes', { payment_intent: await paid(), amount: 1000 });

    await endpoint.received('charge.dispute.created');
    await endpoint.received('charge.dispute.funds_withdrawn');
  });

  it('blocks refunds of a disputed charge until the dispute is won', async () => {
    const payment_intent = await paid();
    const { id } = await post('/sandbox/disputes', { payment_intent });

    const refund = stripe.refunds.create({ payment_intent });

    await expect(refund).rejects.toMatchObject({ code: 'charge_disputed' });
    await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });
    expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 4200 });
  });

  it.each([
    ['pm_card_createDispute', 'fraudulent', 'needs_response'],
    ['pm_card_createDisputeProductNotReceived', 'product_not_received', 'needs_response'],
    ['pm_card_createDisputeInquiry', 'fraudulent', 'warning_needs_response'],
  ])('opens a dispute for the card %s', async (payment_method, reason, status) => {
    const { id: payment_intent } = await createIntent();
    await stripe.paymentIntents.confirm(payment_intent, { payment_method });

    await endpoint.received('charge.dispute.created');

    const [dispute] = (await stripe.disputes.list({ payment_intent })).data;
    expect(dispute).toMatchObject({ reason, status, amount: 4200 });
    expect(dispute?.evidence_details).toEqual({
      due_by: (dispute?.created ?? 0) + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    });
  });

  it('allows refunds during an inquiry', async () => {
    const payment_intent = await paid();
    const { id } = await post('/sandbox/disputes', { payment_intent, inquiry: true });

    const refund = await stripe.refunds.create({ payment_intent });
    const { status } = await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });

    expect(refund.status).toBe('succeeded');
    expect(status).toBe('warning_closed');
  });

  it('closes a dispute as lost when the merchant accepts it', async () => {
    const { id } = await post('/sandbox/disputes', { payment_intent: await paid() });

    expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost' });
    await endpoint.received('charge.dispute.closed');
  });

  it('opens and decides a dispute only once and only with the secret key', async () => {
    const payment_intent = await paid();
    const { id } = await post('/sandbox/disputes', { payment_intent });
    await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });

    const again = await post('/sandbox/disputes', { payment_intent });
    const other = await post(`/sandbox/disputes/${id}/close`, { outcome: 'lost' });
    const stranger = await browser('/sandbox/disputes', { payment_intent });

    expect([again.error, other.error]).toEqual([expect.anything(), expect.anything()]);
    expect(stranger.status).toBe(403);
  });
});

it('filters the list of events by type', async () => {
  await paid();

  const { data } = await stripe.events.list({
    types: ['payment_intent.succeeded', 'charge.dispute.created'],
  });

  expect(data.map((event) => event.type)).toEqual(['payment_intent.succeeded']);
});
