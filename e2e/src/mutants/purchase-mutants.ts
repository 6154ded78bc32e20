// biome-ignore-all format: a list is read by its rows.
import type { Mutant } from './mutant.ts';

const payments = 'services/payments/src';
const createIntent = `${payments}/create-payment-intent/create-payment-intent`;
const confirmPayment = `${payments}/confirm-payment/confirm-payment`;
const webhook = `${payments}/receive-webhook/receive-webhook`;
const checked = `${payments}/checked-by-bookings.ts`;
const rejected = `${payments}/refund-when-booking-rejected/refund-when-booking-rejected.test.ts`;
const unchecked = { file: checked, find: '    await check(deps, claimOf(event as Event<T>));\n', replace: '    void [check, claimOf];\n' };
const takeIn = `${payments}/take-in-event.ts`;
const holdCart = 'services/bookings/src/hold-cart/hold-cart.test.ts';
const amounts = 'packages/contracts/src/api/payments.ts';
const amountTest = { file: `${createIntent}.test.ts`, name: 'refuses the amount %p' };
const race = { file: 'e2e/journeys/purchases.journey.ts', name: '200 times, exactly one gets it and the other is told why' };
const forgery = { file: `${webhook}.test.ts`, name: 'believes nobody without a right signature of the last five minutes' };

/** Prices, payments and dates: lines 4 to 6 and 29. */
export const purchaseMutants: Mutant[] = [
  {
    rule: 4, breaks: 'takes half a cent',
    file: amounts, find: 'Math.round(cents)) < 0.5,', replace: 'Math.round(cents)) <= 0.5,',
    test: amountTest,
  },
  {
    rule: 4, breaks: 'takes a payment of less than nothing',
    file: amounts, find: "  .min(50, 'The smallest payment is $0.50')\n", replace: '',
    test: amountTest,
  },
  {
    rule: 4, breaks: "charges what the client says a hold costs",
    file: `${createIntent}.ts`,
    find: 'if (checkout.amountCents !== amount) throw priceChanged(checkout.amountCents);', replace: 'checkout.amountCents = amount;',
    test: { file: `${createIntent}.test.ts`, name: 'refuses another amount and names the right one' },
  },
  {
    rule: 4, breaks: 'prices one, however many are rented',
    file: 'packages/contracts/src/rental-period.ts', find: 'priceCents * period * quantity;', replace: 'priceCents * period;',
    also: [{ file: 'services/bookings/migrations/0011_terms.sql', find: 'total_cents = price_cents * period * quantity - discount_cents', replace: 'total_cents > 0' }],
    test: { file: holdCart, name: 'prices each line itself and keeps its dates for 15 minutes' },
  },
  {
    rule: 4, breaks: 'takes a quantity of minus one',
    file: 'packages/contracts/src/api/bookings.ts', find: "      .min(1, 'Please choose at least one')\n", replace: '',
    test: { file: holdCart, name: 'refuses what can not be rented, naming the line' },
  },
  {
    rule: 5, breaks: 'believes a client that it has paid',
    file: `${confirmPayment}.ts`,
    find: ": await settlePayment(deps, payment).catch((error) => refuseOutage(error, deps.logger));",
    replace: ": { ...payment, state: { status: 'succeeded' as const, refundedCents: 0, reservedCents: 0, succeededAt: new Date() } };",
    test: { file: `${confirmPayment}.test.ts`, name: 'does not take the word of a client that has not paid' },
  },
  {
    rule: 5, breaks: "takes another payment's intent",
    file: `${confirmPayment}.ts`,
    find: 'if (payment.intentId !== body.paymentIntentId) throw intentMismatch();', replace: 'payment.intentId = body.paymentIntentId;',
    also: [{ file: `${payments}/settle-payment.ts`, find: 'if (payment.intentId !== intent.id) throw', replace: 'if (payment.id !== paymentId) throw' }],
    test: { file: `${confirmPayment}.test.ts`, name: "refuses another payment's intent" },
  },
  {
    rule: 5, breaks: 'sends money for whoever can publish',
    ...unchecked,
    test: { file: rejected, name: 'moves no money for an event that bookings knows nothing of, and counts it' },
  },
  {
    rule: 5, breaks: 'pays back whoever says that a booking was cancelled',
    ...unchecked,
    test: { file: `${payments}/refund-when-booking-cancelled/refund-when-booking-cancelled.test.ts`, name: 'moves no money for a booking that bookings has not cancelled' },
  },
  {
    rule: 5, breaks: 'sends any amount where some is owed',
    file: checked, find: ' &&\n        refund.refundCents === refundCents,', replace: ',',
    test: { file: rejected, name: 'nor for another amount than bookings has decided' },
  },
  {
    rule: 6, breaks: 'has neither the constraint nor the lock',
    file: 'services/bookings/migrations/0001_bookings.sql',
    find: ",\n  CONSTRAINT booking_units_no_overlap\n    EXCLUDE USING gist (unit_id WITH =, during WITH &&) WHERE (status IN ('held', 'confirmed'))", replace: '',
    also: [{ file: 'services/bookings/src/tool-repository.ts', find: ' ORDER BY id FOR NO KEY UPDATE', replace: '' }],
    test: race,
  },
  {
    rule: 6, breaks: 'keeps the first second of the dates alone',
    file: 'services/bookings/src/tool-repository.ts',
    find: 'SELECT $1, id, tstzrange($2, $3), $4',
    replace: "SELECT $1, id, tstzrange($2, least($3::timestamptz, $2::timestamptz + interval '1 second')), $4",
    test: race,
  },
  {
    rule: 29, breaks: 'believes an unsigned webhook',
    file: `${webhook}.ts`,
    find: "stripe.webhooks.constructEvent(body, header ?? '', secret, toleranceSeconds)", replace: 'JSON.parse(body.toString())',
    test: forgery,
  },
  {
    rule: 29, breaks: 'believes a webhook of an hour ago',
    file: `${webhook}.ts`, find: 'const toleranceSeconds = 300;', replace: 'const toleranceSeconds = 3_600;',
    test: forgery,
  },
  {
    rule: 29, breaks: 'believes the event instead of asking',
    file: takeIn,
    find: "  return readIntent(deps, intentIdOf(event) ?? '');",
    replace: `  const said = event.type.endsWith('.succeeded') ? 'succeeded' : 'canceled';
  return readIntent(deps, intentIdOf(event) ?? '', said);`,
    also: [
      { file: takeIn, find: 'const readIntent = async (deps: Asking, intentId: string)', replace: "const readIntent = async (deps: Asking, intentId: string, said: 'succeeded' | 'canceled' = 'canceled')" },
      { file: takeIn, find: '  return (tx) => takeIn(tx, payment.id, intent);', replace: '  return (tx) => takeIn(tx, payment.id, { ...intent, status: said, amount_received: intent.amount });' },
    ],
    test: { file: `${webhook}.test.ts`, name: 'reads the intent again instead of believing the event' },
  },
  {
    rule: 29, breaks: 'takes one event as often as it comes',
    file: takeIn, find: 'if (await noteEvent(tx, event)) await effect?.(tx);', replace: 'await noteEvent(tx, event);\n    await effect?.(tx);',
    also: [{ file: `${payments}/domain/payment.ts`, find: "declined: 'keep', succeeded: 'keep', canceled: 'impossible' },\n  refunded", replace: "declined: 'keep', succeeded: 'change', canceled: 'impossible' },\n  refunded" }],
    test: { file: `${webhook}.test.ts`, name: 'five times the same event, all at once, makes one PaymentSucceeded' },
  },
];
