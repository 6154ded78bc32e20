// biome-ignore-all format: a list is read by its rows.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text.
import type { Mutant } from './mutant.ts';

const bus = 'packages/event-bus';
const busTest = `${bus}/test/event-bus.test.ts`;
const migrating = 'packages/service-kit/src/migrate.ts';
const migrateTest = 'packages/service-kit/test/migrate.test.ts';
const fits = 'services/payments/src/fit-refunds.test.ts';
const missed = 'services/bookings/src/record-missed-payments/record-missed-payments.ts';
const missedTest = missed.replace('.ts', '.test.ts');
const withheld = 'services/bookings/src/refund-booking/refund-booking.test.ts';
const handling = '          await this.#handleThroughOutage(consumer, event);\n        } catch';
const acknowledging = "        await faultPoint('consumer.beforeAck');\n        channel.ack(message);\n";

/** Events reach every consumer and take effect once; dates are free again only when nobody can pay for them. */
export const reliabilityMutants: Mutant[] = [
  {
    rule: 'events', breaks: 'forgets what took effect already',
    file: `${bus}/src/consumer.ts`, find: '      if (noted.rowCount === 0) return;\n', replace: '      void noted;\n',
    test: { file: busTest, name: 'takes effect once when an event comes twice' },
  },
  {
    rule: 'events', breaks: 'acknowledges an event before its effect',
    file: `${bus}/src/consumer.ts`, find: handling, replace: `          channel.ack(message);\n${handling}`,
    also: [{ file: `${bus}/src/consumer.ts`, find: acknowledging, replace: '' }],
    test: { file: busTest, name: 'takes effect elsewhere when the process that had the event died before' },
  },
  {
    rule: 'events', breaks: 'goes on behind the last event that it published',
    file: `${bus}/src/outbox-postgres.ts`, find: 'FROM outbox_messages WHERE published_at IS NULL\n',
    replace: 'FROM outbox_messages WHERE published_at IS NULL AND position > (SELECT coalesce(max(position), 0) FROM outbox_messages WHERE published_at IS NOT NULL)\n',
    test: { file: busTest, name: 'publishes what was committed late, behind its turn' },
  },
  {
    rule: 'events', breaks: 'takes for published what no queue took',
    file: `${bus}/src/broker.ts`, find: 'mandatory: hasSubscriber(this.topology, type),', replace: 'mandatory: false && hasSubscriber(this.topology, type),',
    test: { file: busTest, name: 'takes for published nothing that no queue took' },
  },
  {
    rule: 'events', breaks: 'publishes before the queues of a new version are there',
    file: `${bus}/src/broker.ts`, find: '    while (!this.#consuming.isOpen) await this.#change.promise;\n', replace: '',
    test: { file: busTest, name: 'is published to once they are there: a new one must not miss what others hear' },
  },
  {
    rule: 'events', breaks: 'puts aside what a later version published',
    file: `${bus}/src/consumer.ts`, find: 'class LaterVersionError extends NotKnownYetError {}', replace: 'class LaterVersionError extends Error {}',
    test: { file: `${bus}/test/two-versions.test.ts`, name: 'when the old one %s, the event waits for the new one' },
  },
  {
    rule: 'events', breaks: 'publishes again what a blocked broker has on its way',
    file: `${bus}/src/broker.ts`, find: 'if (this.#isBlocked || Date.now() - this.#unblockedAtMs < timeoutMs)', replace: 'if (this.#isBlocked && timeoutMs < 0)',
    test: { file: `${bus}/test/blocked.test.ts`, name: 'does not give up what was on its way when it blocked' },
  },
  {
    rule: 'events', breaks: 'holds ten that failed for as long as the broker is blocked',
    file: `${bus}/src/consumer.ts`, find: '    if (!this.#broker.canPublish) {\n', replace: '    if (!this.#broker.canPublish && delayMs < 0) {\n',
    test: { file: `${bus}/test/blocked.test.ts`, name: 'goes on consuming though more fail than it takes at once' },
  },
  {
    rule: 'events', breaks: 'declares queues again with other arguments',
    file: `${bus}/src/declare.ts`, find: '    if (missing.has(name)) await', replace: '    if (missing.has(name) || name) await',
    test: { file: `${bus}/test/old-installation.test.ts`, name: 'events are handled, put aside and replayed in the queues that are there' },
  },
  {
    rule: 'events', breaks: 'ends the connection before the last acknowledgement is read',
    file: `${bus}/src/dead-letters.ts`, find: '    await closeChannel(channel);\n    return result;', replace: '    return result;',
    test: { file: `${bus}/test/old-installation.test.ts`, name: 'events are handled, put aside and replayed in the queues that are there' },
  },
  {
    rule: 'events', breaks: "keeps a vanished host's locks for two hours",
    file: 'packages/service-kit/src/database.ts', find: "tcp_keepalives_idle: '5'", replace: "tcp_keepalives_idle: '7200'",
    test: { file: 'packages/service-kit/test/database.test.ts', name: 'is given up by the server within 15 s of silence, and keeps the options of its URL' },
  },
  {
    rule: 'events', breaks: 'waits for a vanished database for ever',
    file: 'packages/service-kit/src/database.ts', find: '    query_timeout: answerTimeoutMs(statementTimeoutMs),\n', replace: '',
    test: { file: 'packages/service-kit/test/database.test.ts', name: 'fails what it asks as an outage, and connects anew' },
  },
  {
    rule: 'events', breaks: 'answers before a message is on most disks',
    file: 'packages/service-runtime/src/start-service.ts', find: "  w: 'majority',\n", replace: '  w: 1,\n',
    test: { file: 'services/messaging/test/acknowledged-writes.test.ts', name: 'is on the disks of most members before it is answered, whatever the URL says' },
  },
  {
    rule: 'events', breaks: 'cuts a migration short',
    file: migrating, find: 'SET statement_timeout = 0; ', replace: '',
    test: { file: migrateTest, name: 'is cut by no statement timeout, and the replicas that wait say so and live on' },
  },
  {
    rule: 'events', breaks: 'stops the traffic behind a migration that waits',
    file: migrating, find: 'SET LOCAL lock_timeout = ${lockTimeoutMs}', replace: 'SET LOCAL lock_timeout = 0 /* ${lockTimeoutMs} */',
    test: { file: migrateTest, name: 'that waits for a lock lets the others pass, and tries again' },
  },
  {
    rule: 'events', breaks: 'goes on migrating for a process that died',
    file: migrating, find: "client_connection_check_interval = '1s'", replace: "client_connection_check_interval = '0'",
    test: { file: migrateTest, name: 'leaves the lock to the next one when its process dies in the middle' },
  },
  {
    rule: 'money', breaks: 'frees the dates while somebody may still pay for them',
    file: 'services/bookings/src/domain/purchase.ts', find: 'purchase.paymentStartedAt ? graceMs : 0', replace: 'purchase.paymentStartedAt ? Math.min(0, graceMs) : 0',
    also: [{ file: 'services/bookings/src/purchase-repository.ts', find: "\n       AND (payment_started_at IS NULL OR expires_at <= now() - $1 * interval '1 ms')", replace: ' AND $1::float8 IS NOT NULL' }],
    test: { file: 'services/bookings/src/expire-holds/expire-holds.test.ts', name: 'waits while a payment of it is under way, at the latest 15 minutes' },
  },
  {
    rule: 'money', breaks: 'frees the dates before Stripe has cancelled',
    file: 'services/payments/src/reconcile-payments/reconcile-payments.ts',
    find: '      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;\n      return stripe.paymentIntents.retrieve(intentId);',
    replace: "      void error;\n      return { id: intentId, status: 'canceled' } as Stripe.PaymentIntent;",
    test: { file: 'services/payments/src/reconcile-payments/reconcile-payments.test.ts', name: 'tries again when Stripe was away, and says nothing final meanwhile' },
  },
  {
    rule: 'events', breaks: 'takes a read-only database for the fault of each event',
    file: 'packages/service-kit/src/database-errors.ts', find: '25006|', replace: '',
    test: { file: busTest, name: 'counts no attempt for %s, %s' },
  },
  {
    rule: 'events', breaks: 'holds what only some events meet until it is over',
    file: `${bus}/src/consumer.ts`, find: 'if (Date.now() + delayMs > endMs) throw error;', replace: 'void endMs;',
    test: { file: busTest, name: 'holds up the others for no longer than a moment by an outage that only some events meet' },
  },
  {
    rule: 'events', breaks: 'publishes again and again what it can not mark',
    file: `${bus}/src/outbox-postgres.ts`, find: '      await this.#mark(client);\n      const { rows }', replace: '      this.#unmarked = [];\n      const { rows }',
    test: { file: busTest, name: 'publishes its events once, and marks them when it can write again' },
  },
  {
    rule: 'money', breaks: 'records no payment that no event told of',
    file: 'services/bookings/src/start-bookings.ts', find: "          { name: 'record-missed-payments', everyMs, run: () => recordMissedPayments(deps) },\n", replace: '',
    test: { file: 'services/bookings/src/record-missed-payments/record-missed-payments.test.ts', name: 'becomes its bookings all the same, once, on two replicas, and is counted' },
  },
  {
    rule: 'money', breaks: 'tells of no payment that was disputed or refunded in part',
    file: 'services/payments/src/payment-repository.ts', find: "AND (stripe_changed_at IS NOT NULL OR (status = 'succeeded' AND reserved_cents = 0))", replace: "AND (stripe_changed_at IS NULL AND status = 'succeeded' AND reserved_cents = 0)",
    test: { file: 'services/payments/src/request-missed-refunds/request-missed-refunds.test.ts', name: 'tells of what changed at Stripe, at its own time, and whether it may be booked' },
  },
  {
    rule: 'money', breaks: 'knows of no dispute that no event told of',
    file: missed, find: 'return atStripe !== undefined && (await withhold(tx, paymentId, atStripe));', replace: 'return false;',
    test: { file: missedTest, name: 'is known all the same, and counted once' },
  },
  {
    rule: 'money', breaks: 'books with what went back in the dashboard',
    file: missed, find: 'if (mayBeBooked && (await', replace: 'if ((mayBeBooked || true) && (await',
    test: { file: missedTest, name: 'that went back in the dashboard by then is not booked' },
  },
  {
    rule: 'money', breaks: 'sends back what it was just told went elsewhere',
    file: 'services/bookings/src/settle-purchase.ts', find: '  if (atStripe) await withhold(tx, payment.paymentId, atStripe);\n', replace: '',
    also: [{ file: missed, find: 'recordPayment(tx, payment, atStripe)', replace: 'recordPayment(tx, payment)' }],
    test: { file: missedTest, name: 'sends back no more of what nobody booked with than is there' },
  },
  {
    rule: 'money', breaks: 'hides what a replica of before gave back behind what an admin granted',
    file: 'services/bookings/migrations/0008_refunds_owed_beside_grants.sql', find: 'd.refunded_cents > ordered.cents', replace: 'ordered.cents = 0 AND d.refunded_cents > 0',
    test: { file: 'services/bookings/src/list-refunds-owed/list-refunds-owed.test.ts', name: 'is told of what such a replica decided beside what an admin granted, and of nothing twice' },
  },
  {
    rule: 'money', breaks: 'makes no refund that no event told of',
    file: 'services/payments/src/start-payments.ts', find: "          job('request-missed-refunds', requestMissedRefunds, 1_000),\n", replace: '',
    test: { file: 'services/payments/src/request-missed-refunds/request-missed-refunds.test.ts', name: 'is made all the same, once, on two replicas, and is counted' },
  },
  {
    rule: 'money', breaks: 'takes bookings that can not be asked for one that owes nothing',
    file: 'packages/service-kit/src/call.ts', find: 'Object.assign(unavailable(), { cause })', replace: 'new Error("no answer", { cause })',
    test: { file: 'services/payments/src/refund-when-booking-rejected/refund-when-booking-rejected.test.ts', name: 'waits while bookings can not be asked, for more than ten tries, and is not dead' },
  },
  {
    rule: 'money', breaks: 'promises again what the dashboard gave back',
    file: 'services/payments/src/fit-refunds.ts', find: 'if (excessOf(payment) > 0) await', replace: 'if (excessOf(payment) < 0) await',
    test: { file: 'services/payments/src/settle-outside-refund.test.ts', name: 'leaves the rest alone to be refunded, to an order that did not know of it' },
  },
  {
    rule: 'money', breaks: 'forgets a promise whose place another refund took and lost',
    file: 'services/payments/src/fit-refunds.ts', find: 'else if (roomOf(payment) > 0) await', replace: 'else if (roomOf(payment) < 0) await',
    test: { file: fits, name: 'is given once the refund of the dashboard that took its place has failed' },
  },
  {
    rule: 'money', breaks: 'books what was left of a promise instead of what Stripe gave',
    file: 'services/payments/src/settle-refund.ts', find: '  if (byCents === 0) return payment;\n', replace: '  if (byCents !== Number.NaN) return payment;\n',
    also: [{ file: 'services/payments/src/settle-refund.ts', find: 'completeRefund(payment, given.amount)', replace: 'completeRefund(payment, amountCents)' }],
    test: { file: fits, name: 'counts with what Stripe gave when the promise was %s' },
  },
  {
    rule: 'money', breaks: 'asks Stripe, and the pool, within a transaction',
    file: 'services/payments/src/take-in-event.ts', find: '    if (effect) await inTransaction(deps.pool, effect);', replace: '    if (effect) await inTransaction(deps.pool, async (tx) => (await readIntent(deps, intentId))?.(tx));',
    test: { file: fits, name: 'takes one connection at a time: many at once would wait for each other for ever' },
  },
  {
    rule: 'money', breaks: 'takes a refund of the dashboard as nothing to it',
    file: 'services/payments/src/settle-refund.ts', find: 'if (!known) return takeInOutsideRefund(tx, given, logger);', replace: 'if (!known) return;',
    test: { file: 'services/payments/src/settle-outside-refund.test.ts', name: 'is booked against its payment once and told, however often its webhook comes' },
  },
  {
    rule: 'money', breaks: 'never looks for webhooks that did not come',
    file: 'services/payments/src/catch-up-with-stripe/catch-up-with-stripe.ts', find: 'data.map((event) => eventSchema.parse(event))', replace: 'data.slice(0, 0).map((event) => eventSchema.parse(event))',
    test: { file: 'services/payments/src/settle-outside-refund.test.ts', name: 'whose webhook never came is found in the list of events' },
  },
  {
    rule: 'money', breaks: 'takes an older answer about a dispute for the newer',
    file: 'services/payments/src/settle-dispute.ts', find: 'if (known && known.askedAt > askedAt) return;', replace: '',
    test: { file: 'services/payments/src/settle-dispute.test.ts', name: 'read twice and written in the other order stays as the later question found it' },
  },
  {
    rule: 'money', breaks: 'still promises what was lost to a bank',
    file: 'services/payments/src/domain/payment.ts', find: 'reservedCents + outsideCents + lostCents - amountCents', replace: 'reservedCents + outsideCents - amountCents',
    test: { file: 'services/payments/src/settle-dispute.test.ts', name: 'that is lost ends the refund: the bank has given the money back' },
  },
  {
    rule: 'money', breaks: 'cancels with the full price whatever went back before',
    file: 'services/bookings/src/cancel-booking/cancel-booking.ts', find: 'Math.min(refundFor(booking), sumLeft(allocations))', replace: 'refundFor(booking)',
    also: [{ file: 'services/bookings/src/domain/booking.ts', find: 'const part = Math.min(left, leftCents);', replace: 'const part = left;' }],
    test: { file: 'services/bookings/src/refund-booking/refund-booking.test.ts', name: 'what was refunded in the dashboard does not go back again' },
  },
  {
    rule: 'money', breaks: 'takes off a booking what was refunded of the rest of its payment',
    file: 'services/bookings/migrations/0007_what_no_booking_draws_on.sql', find: 'p.outside_cents + s.lost - s.free) / s.drawn', replace: 'p.outside_cents + s.lost) / s.drawn',
    test: { file: withheld, name: 'comes out of the part of a payment that no booking draws on first' },
  },
  {
    rule: 'money', breaks: 'owes nothing of what a bank holds to who cancels meanwhile',
    file: 'services/bookings/src/cancel-booking/cancel-booking.ts', find: '{ withHeld: true }', replace: '{ withHeld: false }',
    test: { file: withheld, name: 'a cancellation promises what a bank holds, and not what is lost to it' },
  },
  {
    rule: 'money', breaks: 'owes nothing of what a bank holds and nobody booked with',
    file: 'services/bookings/src/payment-repository.ts', find: 'greatest(0, p.disputed_cents - p.held_cents))', replace: 'p.disputed_cents)',
    test: { file: withheld, name: 'held by a bank goes back of what nobody booked with; lost to it, it does not' },
  },
  {
    rule: 'money', breaks: 'lets an admin promise what a bank holds',
    file: 'services/bookings/src/refund-booking/refund-booking.ts', find: '{ withHeld: false }', replace: '{ withHeld: true }',
    test: { file: withheld, name: 'an admin refunds nothing while a bank has the money, and may refund all of it once it is won' },
  },
  {
    rule: 'money', breaks: 'lets an admin refund more than is left',
    file: 'services/bookings/src/refund-booking/refund-booking.ts', find: 'if (amountCents > left) throw refundTooLarge(toDollars(left));', replace: '',
    test: { file: 'services/bookings/src/refund-booking/refund-booking.test.ts', name: 'never gives more than was paid, however many ask at once' },
  },
  {
    rule: 'money', breaks: 'refunds twice when the form is submitted twice',
    file: 'services/bookings/src/refund-booking/refund-booking.ts', find: '{ key: idempotencyKey,', replace: '{ key: undefined && idempotencyKey,',
    test: { file: 'services/bookings/src/refund-booking/refund-booking.test.ts', name: 'submitted twice at once with one key gives it once' },
  },
];
