// biome-ignore-all format: a list is read by its rows.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text.
import type { Mutant } from './mutant.ts';

const bus = 'packages/event-bus';
const busTest = `${bus}/test/event-bus.test.ts`;
const handling = '        await this.#handleThroughOutage(consumer, event);\n      } catch';
const acknowledging = "      await faultPoint('consumer.beforeAck');\n      channel.ack(message);\n";

/** Events reach every consumer and take effect once; dates are free again only when nobody can pay for them. */
export const reliabilityMutants: Mutant[] = [
  {
    rule: 'events', breaks: 'forgets what took effect already',
    file: `${bus}/src/consumer.ts`, find: '      if (noted.rowCount === 0) return;\n', replace: '      void noted;\n',
    test: { file: busTest, name: 'takes effect once when an event comes twice' },
  },
  {
    rule: 'events', breaks: 'acknowledges an event before its effect',
    file: `${bus}/src/consumer.ts`, find: handling, replace: `        channel.ack(message);\n${handling}`,
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
];
