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

async function paid() {
  const intent = await createIntent();
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  return intent.id;
}

describe('disputes', () => {
  it.each([
    ['won', 'charge.dispute.funds_reinstated', [-4200, 4200]],
    ['lost', 'charge.dispute.closed', [-4200]],
  ])('closed as %s emit the event %s', async (outcome, event, moved) => {
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

  it('emit events when they are opened and when their funds are withdrawn', async () => {
    await post('/sandbox/disputes', { payment_intent: await paid(), amount: 1000 });

    await endpoint.received('charge.dispute.created');
    await endpoint.received('charge.dispute.funds_withdrawn');
  });

  it('block refunds of their charge until they are won', async () => {
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
  ])('are opened for the card %s', async (payment_method, reason, status) => {
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

  it('allow refunds while they are only an inquiry', async () => {
    const payment_intent = await paid();
    const { id } = await post('/sandbox/disputes', { payment_intent, inquiry: true });

    const refund = await stripe.refunds.create({ payment_intent });
    const { status } = await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });

    expect(refund.status).toBe('succeeded');
    expect(status).toBe('warning_closed');
  });

  it('are lost in part if the bank reinstates some of the money', async () => {
    const payment_intent = await paid();
    const { id } = await post('/sandbox/disputes', { payment_intent });

    await post(`/sandbox/disputes/${id}/close`, { outcome: 'lost', reinstated: 1200 });
    await endpoint.received('charge.dispute.funds_reinstated');
    await endpoint.received('charge.dispute.closed');

    const dispute = await stripe.disputes.retrieve(id);
    expect(dispute).toMatchObject({ status: 'lost', amount: 4200 });
    expect(dispute.balance_transactions).toMatchObject([
      { amount: -4200, fee: 1500, reporting_category: 'dispute' },
      { amount: 1200, fee: 0, net: 1200, reporting_category: 'dispute_reversal', source: id },
    ]);
    await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
  });

  it.each([0, 4200, 12.5])('are not lost with %s cents of 4200 reinstated', async (reinstated) => {
    const { id } = await post('/sandbox/disputes', { payment_intent: await paid() });

    const reply = await post(`/sandbox/disputes/${id}/close`, { outcome: 'lost', reinstated });

    expect(reply.error).toMatchObject({ param: 'reinstated' });
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'needs_response' });
  });

  it.each([
    ['in full', { outcome: 'lost' }, [-4200, 4200]],
    ['in part', { outcome: 'lost', reinstated: 1200 }, [-4200, 1200, 3000]],
  ])('lost %s can be won later, and then allow refunds', async (_how, loss, moved) => {
    const payment_intent = await paid();
    const { id } = await post('/sandbox/disputes', { payment_intent });
    await post(`/sandbox/disputes/${id}/close`, loss);
    await endpoint.received('charge.dispute.closed');
    endpoint.events.length = 0;

    await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });
    await endpoint.received('charge.dispute.funds_reinstated');
    await endpoint.received('charge.dispute.closed');

    const dispute = await stripe.disputes.retrieve(id);
    expect(dispute.status).toBe('won');
    expect(dispute.balance_transactions.map((one) => one.amount)).toEqual(moved);
    expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 4200 });
  });

  it('won late cannot be decided again, and a lost one cannot be lost again', async () => {
    const { id } = await post('/sandbox/disputes', { payment_intent: await paid() });
    await post(`/sandbox/disputes/${id}/close`, { outcome: 'lost' });

    const lostAgain = await post(`/sandbox/disputes/${id}/close`, { outcome: 'lost' });
    await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });
    const wonAgain = await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });

    expect([lostAgain.error, wonAgain.error]).toEqual([expect.anything(), expect.anything()]);
  });

  it('are lost once the merchant accepts them', async () => {
    const { id } = await post('/sandbox/disputes', { payment_intent: await paid() });

    expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost' });
    await endpoint.received('charge.dispute.closed');
  });

  it('are opened and decided only once, and only with the secret key', async () => {
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

it('the list of events can be filtered by type', async () => {
  await paid();

  const { data } = await stripe.events.list({
    types: ['payment_intent.succeeded', 'charge.dispute.created'],
  });

  expect(data.map((event) => event.type)).toEqual(['payment_intent.succeeded']);
});
