import { type Mutant, replace } from './mutant.ts';

/**
 * Mutants that each break a guarantee of the whole system; `npm run mutants -- domain` covers small ones in the domain
 * code. The broken code imports this file, so it must not import code of the project at run time.
 */
export const mutants: readonly Mutant[] = [
  {
    rule: 2,
    breaks: 'lets every user act as another',
    changes: [
      replace(
        () => import('../../../packages/service-kit/src/handle.ts'),
        'handle',
        ({ handle }) =>
          (route, handler) =>
            handle({ ...route, who: route.who === 'self' ? 'user' : route.who }, handler as never),
      ),
    ],
    test: () => import('../../journeys/authorization.journey.ts'),
  },
  {
    rule: 3,
    breaks: "shows every member the owner's street address",
    changes: [
      replace(
        () => import('../../../services/catalog/src/tool-json.ts'),
        'viewerOf',
        ({ viewerOf }) =>
          (user) => ({ ...viewerOf(user), isAdmin: true }),
      ),
    ],
    test: () => import('../../journeys/field-level.journey.ts'),
  },
  {
    rule: 4,
    breaks: 'charges for one unit, whatever the quantity',
    changes: [
      replace(
        () => import('../../../packages/contracts/src/rental-price.ts'),
        'rentalPrice',
        ({ rentalPrice }) =>
          (priceCents, rental) =>
            rentalPrice(priceCents, { ...rental, quantity: 1 }),
      ),
    ],
    test: () => import('../../../services/bookings/src/hold-cart/hold-cart.test.ts'),
  },
  {
    rule: 5,
    breaks: 'trusts a client that claims to have paid',
    changes: [
      replace(
        () => import('../../../services/payments/src/settle-payment.ts'),
        'settlePayment',
        ({ settlePayment }) =>
          async (deps, payment) => {
            const settled = await settlePayment(deps, payment);
            const nothing = { refundedCents: 0, reservedCents: 0, outsideCents: 0 };
            const sums = { ...nothing, heldCents: 0, lostCents: 0, dispute: null };
            const state = { status: 'succeeded' as const, succeededAt: new Date(), ...sums };
            return { ...settled, state };
          },
      ),
    ],
    test: () => import('../../../services/payments/src/confirm-payment/confirm-payment.test.ts'),
  },
  {
    rule: 5,
    breaks: 'refunds because of a forged event',
    changes: [
      replace(
        () => import('../../../services/payments/src/checked-by-bookings.ts'),
        'checkedByBookings',
        () => (_deps, _claimOf, consumer) => consumer,
      ),
    ],
    test: () =>
      import(
        '../../../services/payments/src/refund-when-booking-rejected/refund-when-booking-rejected.test.ts'
      ),
  },
  {
    rule: 6,
    breaks: 'reserves only the first second of the booked dates',
    changes: [
      replace(
        () => import('../../../services/bookings/src/tool-repository.ts'),
        'takeUnits',
        ({ takeUnits }) =>
          (tx, booking, how) => {
            const endsAt = new Date(booking.startsAt.getTime() + 1_000);
            return takeUnits(tx, { ...booking, endsAt }, how);
          },
      ),
    ],
    test: () => import('../../journeys/purchases.journey.ts'),
  },
  {
    rule: 9,
    breaks: 'accepts any current password',
    changes: [
      replace(
        () => import('../../../services/accounts/src/check-current-password.ts'),
        'checkCurrentPassword',
        () => async () => {},
      ),
    ],
    test: () => import('../../../services/accounts/src/reset-password/reset-password.test.ts'),
  },
  {
    rule: 11,
    breaks: 'accepts a mailed token twice',
    changes: [
      replace(
        () => import('../../../services/accounts/src/mailed-token-repository.ts'),
        'spendMailedToken',
        ({ findMailedToken }) => findMailedToken,
      ),
      replace(
        () => import('../../../services/accounts/src/mailed-token-repository.ts'),
        'dropMailedTokens',
        () => async () => {},
      ),
    ],
    test: () => import('../../../services/accounts/src/reset-password/reset-password.test.ts'),
  },
  {
    rule: 12,
    breaks: 'rejects tokens of the previous signing key once there is a new one',
    changes: [
      replace(
        () => import('../../../services/accounts/src/signing-key-repository.ts'),
        'listPublicKeys',
        ({ listPublicKeys }) =>
          async (db) => ({ keys: (await listPublicKeys(db)).keys.slice(0, 1) }),
      ),
    ],
    test: () => import('../../../services/accounts/src/access-tokens.test.ts'),
  },
  {
    rule: 16,
    breaks: 'does not propagate revocations to other replicas',
    changes: [
      replace(
        () => import('../../../packages/service-runtime/src/consume-revocations.ts'),
        'consumeRevocations',
        () => (_broker, _logger, authenticator) => void authenticator.load(),
      ),
    ],
    test: () => import('../../../services/accounts/src/log-out/log-out.test.ts'),
  },
  {
    rule: 18,
    breaks: 'forwards the proxy headers that a client sends',
    changes: [
      replace(
        () => import('../../../gateway/src/client-address.ts'),
        'vouchForClient',
        () => (request, _hops, requestId) => {
          request.headers['x-request-id'] = requestId;
        },
      ),
    ],
    test: () => import('../../../gateway/test/gateway.test.ts'),
  },
  {
    rule: 29,
    breaks: 'trusts an unsigned webhook',
    changes: [
      replace(
        () => import('../../../services/payments/src/stripe-api.ts'),
        'createStripe',
        ({ createStripe }) =>
          (...keys) => {
            const stripe = createStripe(...keys);
            stripe.webhooks.constructEvent = (body) => JSON.parse(String(body));
            return stripe;
          },
      ),
    ],
    test: () => import('../../../services/payments/src/receive-webhook/receive-webhook.test.ts'),
  },
  {
    rule: 37,
    breaks: 'does not limit unpaid holds of one user',
    changes: [
      replace(
        () => import('../../../services/bookings/src/hold-cart/limit-holds.ts'),
        'limitHolds',
        () => async () => {},
      ),
    ],
    test: () => import('../../../services/bookings/src/hold-cart/limit-holds.test.ts'),
  },
  {
    rule: 44,
    breaks: 'does not limit the refunded payments of one renter',
    changes: [
      replace(
        () => import('../../../services/bookings/src/limit-payments/limit-payments.ts'),
        'limitPayments',
        () => async () => {},
      ),
    ],
    test: () => import('../../../services/bookings/src/limit-payments/limit-payments.test.ts'),
  },
  {
    rule: 38,
    breaks: 'does not limit what one user stores',
    changes: [
      replace(
        () => import('../../../packages/service-kit/src/quota.ts'),
        'spend',
        () => async () => {},
      ),
    ],
    test: () => import('../../../services/catalog/src/add-tool/limit-tools.test.ts'),
  },
  {
    rule: 40,
    breaks: "lets each service publish another's events",
    changes: [
      replace(
        () => import('../../../packages/event-bus/src/broker-users.ts'),
        'definitionsOf',
        ({ definitionsOf }) =>
          (...of) => {
            const { permissions, topic_permissions, ...rest } = definitionsOf(...of);
            const open = { write: '.*' };
            return {
              ...rest,
              permissions: permissions.map((each) => ({ ...each, ...open })),
              topic_permissions: topic_permissions.map((each) => ({ ...each, ...open })),
            };
          },
      ),
    ],
    test: () => import('../../../packages/event-bus/test/broker-users.test.ts'),
  },
  {
    rule: 'events',
    breaks: 'applies a redelivered event again',
    changes: [
      replace(
        () => import('../../../packages/event-bus/src/consumer.ts'),
        'subscribeOnce',
        ({ subscribeOnce }) =>
          (queue, pool, handle) => {
            const consumer = subscribeOnce(queue, pool, handle);
            const asNew = { id: { get: () => crypto.randomUUID() } };
            return {
              queue,
              handle: (event) => consumer.handle(Object.create(event, asNew)),
            };
          },
      ),
    ],
    test: () => import('../../../packages/event-bus/test/event-bus.test.ts'),
  },
  {
    rule: 'events',
    breaks: 'treats an unroutable event as published',
    changes: [
      replace(
        () => import('../../../packages/event-bus/src/topology.ts'),
        'hasSubscriber',
        () => () => false,
      ),
    ],
    test: () => import('../../../packages/event-bus/test/event-bus.test.ts'),
  },
  {
    rule: 'events',
    breaks: 'counts an outage as a failed attempt of the event',
    changes: [
      replace(
        () => import('../../../packages/service-kit/src/errors.ts'),
        'isOutage',
        () => () => false,
      ),
    ],
    test: () => import('../../../packages/event-bus/test/event-bus.test.ts'),
  },
  {
    rule: 'money',
    breaks: 'refunds everything, whatever the cancellation policy',
    changes: [
      replace(
        () => import('../../../services/bookings/src/domain/booking.ts'),
        'previewCancel',
        ({ previewCancel }) =>
          (booking, _by, facts) =>
            previewCancel(booking, 'owner', facts),
      ),
    ],
    test: () => import('../../../services/bookings/src/cancel-booking/cancel-by-policy.test.ts'),
  },
  {
    rule: 'money',
    breaks: 'charges a card before the tool’s owner has accepted the request',
    changes: [
      replace(
        () => import('../../../packages/service-kit/src/call.ts'),
        'call',
        ({ call }) =>
          async (...asking) => {
            const reply = await call(...asking);
            return { ...(reply as object), request: 'accepted' } as never;
          },
      ),
    ],
    test: () => import('../../../services/payments/src/reconcile-payments/follow-request.test.ts'),
  },
  {
    rule: 'money',
    breaks: 'keeps a card authorized when a request lapses',
    changes: [
      replace(
        () => import('../../../services/bookings/src/purchase-repository.ts'),
        'findUnansweredHolds',
        () => async () => [],
      ),
    ],
    test: () => import('../../../services/bookings/src/lapse-requests/lapse-requests.test.ts'),
  },
  {
    rule: 'money',
    breaks: 'charges for a change of a cancelled booking',
    changes: [
      replace(
        () => import('../../../services/bookings/src/settle-change.ts'),
        'isOpen',
        () => async () => true,
      ),
    ],
    test: () => import('../../../services/bookings/src/accept-change/accept-change.test.ts'),
  },
  {
    rule: 'money',
    breaks: 'never records a payment whose event was lost',
    changes: [
      replace(
        () =>
          import('../../../services/bookings/src/record-missed-payments/record-missed-payments.ts'),
        'recordMissedPayments',
        () => async () => true,
      ),
    ],
    test: () =>
      import(
        '../../../services/bookings/src/record-missed-payments/record-missed-payments.test.ts'
      ),
  },
  {
    rule: 'money',
    breaks: 'never makes a refund whose event was lost',
    changes: [
      replace(
        () =>
          import('../../../services/payments/src/request-missed-refunds/request-missed-refunds.ts'),
        'requestMissedRefunds',
        () => async () => true,
      ),
    ],
    test: () =>
      import(
        '../../../services/payments/src/request-missed-refunds/request-missed-refunds.test.ts'
      ),
  },
  {
    rule: 'money',
    breaks: 'refunds a payment again that was refunded in Stripe’s dashboard',
    changes: [
      replace(
        () => import('../../../services/payments/src/fit-refunds.ts'),
        'fitRefunds',
        () => async () => {},
      ),
    ],
    test: () => import('../../../services/payments/src/settle-outside-refund.test.ts'),
  },
  {
    rule: 'money',
    breaks: 'never catches up with missed webhooks',
    changes: [
      replace(
        () => import('../../../services/payments/src/catch-up-with-stripe/catch-up-with-stripe.ts'),
        'catchUpWithStripe',
        () => async () => true,
      ),
    ],
    test: () => import('../../../services/payments/src/settle-outside-refund.test.ts'),
  },
  {
    rule: 'money',
    breaks: 'lets admins refund more than was paid',
    changes: [
      replace(
        () => import('../../../services/bookings/src/allocation-repository.ts'),
        'lockAllocations',
        ({ lockAllocations }) =>
          async (...of) => {
            const allocations = await lockAllocations(...of);
            return allocations.map((each) => ({ ...each, leftCents: 1_000_000 }));
          },
      ),
    ],
    test: () => import('../../../services/bookings/src/refund-booking/refund-booking.test.ts'),
  },
  {
    rule: 'search',
    breaks: 'finds tools that are booked on the chosen days',
    changes: [
      replace(
        () => import('../../../services/catalog/src/free-dates.ts'),
        'notAllTaken',
        () => () => 'true',
      ),
      replace(
        () => import('../../../services/catalog/src/free-dates.ts'),
        'calendarsOn',
        () => () => ({ isFree: () => true, isSpent: () => false }),
      ),
    ],
    test: () => import('../../../services/catalog/src/list-tools/free-on-dates.test.ts'),
  },
  {
    rule: 'search',
    breaks: 'answers with a read that began before the request',
    changes: [
      replace(
        () => import('../../../packages/service-kit/src/share-reads.ts'),
        'shareReads',
        () => () => {
          const underWay = new Map();
          return (key, read) => {
            const reading = underWay.get(key) ?? read();
            underWay.set(key, reading);
            return reading.finally(() => underWay.delete(key));
          };
        },
      ),
    ],
    test: () => import('../../../packages/service-kit/test/share-reads.test.ts'),
  },
];
