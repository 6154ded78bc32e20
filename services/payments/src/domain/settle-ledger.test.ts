import { describe, expect, it } from '@jest/globals';
import { balanceOf, type Entry } from './ledger.ts';
import { fitFills, type RefundFill, type RefundOrder, type StripeRefund } from './refund-fills.ts';
import { type PaymentFacts, type StripeDispute, settle } from './settle-ledger.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 1, 12, minute));

const share = (bookingId: string, cents: number) => ({
  bookingId,
  ownerId: `owner of ${bookingId}`,
  cents,
});

/** A cart of $50, $30 and $20. */
const facts = (changed: Partial<PaymentFacts> = {}): PaymentFacts => ({
  paymentId: 'p',
  readAt: at(59),
  charge: { chargeId: 'ch', cents: 100, createdAt: at(0) },
  shares: [share('a', 50), share('b', 30), share('c', 20)],
  orders: [],
  fills: [],
  refunds: [],
  disputes: [],
  ...changed,
});

const order = (key: string, changed: Partial<RefundOrder> = {}): RefundOrder => ({
  key,
  bookingId: key,
  cents: 50,
  createdAt: at(10),
  ...changed,
});

/** A row of `refunds`, and the order of the same key. */
const fill = (key: string, changed: Partial<RefundFill> = {}): RefundFill => ({
  ...order(key),
  status: 'pending',
  refundId: null,
  ...changed,
});

const refund = (refundId: string, changed: Partial<StripeRefund> = {}): StripeRefund => ({
  refundId,
  refundKey: null,
  cents: 30,
  status: 'succeeded',
  isCharged: true,
  createdAt: at(20),
  ...changed,
});

const dispute = (changed: Partial<StripeDispute> = {}): StripeDispute => ({
  disputeId: 'du',
  state: 'open',
  transactions: [{ transactionId: 'txn', cents: -50, createdAt: at(30) }],
  ...changed,
});

/** Settles one reading after the other. */
const follow = (...readings: PaymentFacts[]): Entry[] =>
  readings.reduce<Entry[]>((entries, each) => entries.concat(settle(each, entries)), []);

const perBooking = ['pending', 'due'] as const;
const perPayment = ['unallocated', 'disputes', 'losses', 'operator', 'card', 'bank'] as const;

/** The balances that are not 0, such as `{ 'pending a': 50 }`. */
const balances = (entries: Entry[]): Record<string, number> => {
  const all: [string, number][] = [
    ...perPayment.map((name): [string, number] => [name, balanceOf(entries, name)]),
    ...perBooking.flatMap((name) =>
      [null, 'a', 'b', 'c'].map((id): [string, number] => [
        id ? `${name} ${id}` : name,
        balanceOf(entries, name, id),
      ]),
    ),
  ];
  return Object.fromEntries(all.filter(([, cents]) => cents !== 0));
};

const cart = { 'pending a': 50, 'pending b': 30, 'pending c': 20 };

describe('settle', () => {
  it('posts the charge and funds the shares', () => {
    const entries = follow(facts());

    expect(balances(entries)).toEqual({ card: -100, ...cart });
    expect(entries.map(({ key }) => key)).toEqual([
      'charge:ch',
      'share:p:a:1',
      'share:p:b:1',
      'share:p:c:1',
    ]);
    expect(entries[0]).toEqual({
      key: 'charge:ch',
      line: 1,
      from: 'card',
      to: 'unallocated',
      cents: 100,
      bookingId: null,
      ownerId: null,
      stripeId: 'ch',
      happenedAt: at(0),
    });
  });

  it('posts nothing for a repeated reading', () => {
    const all = facts({
      orders: [order('a'), order('b', { cents: 30 })],
      fills: [fill('a', { status: 'succeeded', refundId: 're' }), fill('b', { cents: 30 })],
      refunds: [
        refund('re', { refundKey: 'a', cents: 50 }),
        refund('re_2', { cents: 10, status: 'failed' }),
      ],
      disputes: [dispute({ state: 'lost' })],
    });

    expect(settle(all, follow(all))).toEqual([]);
  });

  it('divides a capture that is too small among the shares', () => {
    const entries = follow(facts({ charge: { ...facts().charge, cents: 10 } }));

    expect(balances(entries)).toEqual({
      card: -10,
      'pending a': 5,
      'pending b': 3,
      'pending c': 2,
    });
  });

  it('funds shares that arrive late with what is left, and fills them once money comes back', () => {
    const late = [facts({ shares: [], refunds: [refund('re', { cents: 50 })] })];
    late.push(facts({ refunds: [refund('re', { cents: 50 })] }));
    expect(balances(follow(...late))).toMatchObject({ 'pending a': 25, 'pending b': 15 });

    late.push(facts({ refunds: [refund('re', { cents: 50, status: 'failed' })] }));

    expect(balances(follow(...late))).toEqual({ card: -100, ...cart });
  });

  it('moves an order from its share, and to the card once Stripe has made the refund', () => {
    const ordered = facts({ orders: [order('a')] });
    const made = facts({
      orders: [order('a')],
      fills: [fill('a', { status: 'succeeded', refundId: 're' })],
      refunds: [refund('re', { refundKey: 'a', cents: 50 })],
    });

    expect(balances(follow(ordered))).toEqual({
      card: -100,
      'pending b': 30,
      'pending c': 20,
      'due a': 50,
    });
    expect(balances(follow(ordered, made))).toEqual({
      card: -50,
      'pending b': 30,
      'pending c': 20,
    });
    expect(balances(follow(made))).toEqual(balances(follow(ordered, made)));
  });

  it('fills an order of no booking from what is not part of a share', () => {
    const orders = [order('none', { bookingId: null, cents: 20 })];
    const entries = follow(facts({ shares: [share('a', 50), share('b', 30)], orders }));

    expect(balances(entries)).toEqual({ card: -100, 'pending a': 50, 'pending b': 30, due: 20 });
  });

  it('keeps a refund in due while it waits for the balance, and while it is retried', () => {
    const waiting = refund('re', {
      refundKey: 'a',
      cents: 50,
      status: 'pending',
      isCharged: false,
    });
    const fills = [fill('a', { refundId: 're' })];
    const failed = facts({
      fills: [fill('a', { status: 'failed', refundId: 're' })],
      refunds: [{ ...waiting, status: 'failed', isCharged: true }],
    });

    expect(balances(follow(facts({ fills, refunds: [waiting] })))).toMatchObject({ 'due a': 50 });
    expect(balances(follow(failed))).toMatchObject({ 'due a': 50, card: -100 });
    expect(
      follow(failed)
        .map(({ key }) => key)
        .slice(-2),
    ).toEqual(['refund:re', 'refund:re:failed']);
  });

  it('spreads a dashboard refund over the shares, and restores it when it fails', () => {
    const made = facts({ refunds: [refund('re')] });
    const failed = facts({ refunds: [refund('re', { status: 'failed' })] });

    expect(balances(follow(made))).toEqual({
      card: -70,
      'pending a': 35,
      'pending b': 21,
      'pending c': 14,
    });
    expect(balances(follow(made, failed))).toEqual({ card: -100, ...cart });
  });

  it('posts old facts in their order, whatever their order in the lists', () => {
    // The dashboard refund came first, so the order of A got what it had left.
    const refunds = [refund('re_2', { createdAt: at(20) }), refund('re_1', { createdAt: at(5) })];
    const orders = [order('a', { cents: 35, createdAt: at(10) })];

    expect(balances(follow(facts({ refunds, orders })))).toMatchObject({ 'due a': 35 });
  });

  it("orders a refund first if Stripe's clock is behind", () => {
    const all = facts({
      fills: [fill('a', { status: 'succeeded', refundId: 're' })],
      refunds: [refund('re', { refundKey: 'a', cents: 50, createdAt: at(9) })],
    });

    expect(balances(follow(all))).toEqual({ card: -50, 'pending b': 30, 'pending c': 20 });
  });

  it('keeps an order open whose money was refunded in the dashboard, and fills it once that fails', () => {
    const orders = [order('a'), order('b', { cents: 30 }), order('c', { cents: 20 })];
    const outside = refund('re', { cents: 25 });
    const failed = facts({ orders, refunds: [{ ...outside, status: 'failed' }] });
    const whole = { card: -100, 'due a': 50, 'due b': 30, 'due c': 20 };

    const shrunk = follow(facts({ orders }), facts({ orders, refunds: [outside] }));

    expect(balances(shrunk)).toEqual({ card: -75, 'due a': 50, 'due b': 25 });
    expect(balances([...shrunk, ...settle(failed, shrunk)])).toEqual(whole);
  });

  it('fills an open order before it releases the share', () => {
    const terms = { percent: 10, fixedCents: 0 };
    const shares = [{ ...share('a', 100), terms, releaseAt: at(50) }];
    const orders = [order('a', { cents: 60 })];
    const lost = facts({
      shares,
      orders,
      refunds: [refund('re', { cents: 100, createdAt: at(5) })],
    });
    const back = { ...lost, refunds: [refund('re', { cents: 100, status: 'failed' })] };

    const entries = follow(lost, back);

    expect(balances(entries)).toEqual({ card: -100, 'due a': 60 });
    expect(entries.slice(-3).map(({ key, cents }) => [key, cents])).toEqual([
      ['order:a:1', 60],
      ['release:p:a:1', 4],
      ['release:p:a:1', 36],
    ]);
  });

  it('counts a refund that Stripe made although it was voided', () => {
    const voided = facts({
      fills: [fill('a', { status: 'voided' })],
      refunds: [refund('re_out', { cents: 90 })],
    });
    const made = facts({
      fills: [fill('a', { status: 'succeeded', refundId: 're', cents: 10 })],
      refunds: [refund('re_out', { cents: 90 }), refund('re', { refundKey: 'a', cents: 10 })],
    });

    expect(balances(follow(voided, made))).toEqual({});
  });

  it('fills an order whose refund failed after it was taken as a loss', () => {
    const orders = [order('a')];
    const fills = [fill('a', { status: 'voided', refundId: 're', cents: 10 })];
    const read = (outside: 'succeeded' | 'failed', own: 'succeeded' | 'failed') =>
      facts({
        orders,
        fills,
        refunds: [
          refund('re_out', { cents: 100, status: outside }),
          refund('re', { refundKey: 'a', cents: 10, status: own, createdAt: at(30) }),
        ],
      });
    const lost = read('succeeded', 'succeeded');

    const entries = follow(lost, read('succeeded', 'failed'), read('failed', 'failed'));

    expect(balances(follow(lost))).toMatchObject({ losses: -10 });
    expect(balances(entries)).toEqual({
      card: -100,
      'due a': 50,
      'pending b': 30,
      'pending c': 20,
    });
  });

  it('does not take a refund that waits at Stripe, even if the reply was lost', () => {
    const read = (changed: Partial<PaymentFacts>) =>
      facts({
        orders: [order('a')],
        fills: [fill('a')],
        ...changed,
      });
    const waiting = refund('re', {
      refundKey: 'a',
      cents: 50,
      status: 'pending',
      isCharged: false,
    });
    const outside = refund('re_out', { cents: 100, createdAt: at(30) });

    expect(balances(follow(read({}), read({ refunds: [waiting, outside] })))).toEqual({
      'due a': 50,
      losses: -50,
    });
    expect(balances(follow(read({}), read({ refunds: [outside] })))).toEqual({});
  });

  it('moves a refund that an operator made by hand to the operator', () => {
    const fills = [fill('a', { status: 'succeeded' })];

    expect(balances(follow(facts({ fills })))).toEqual({
      card: -100,
      operator: 50,
      'pending b': 30,
      'pending c': 20,
    });
  });

  it('keeps what a bank holds apart, and deducts it only once the dispute is lost', () => {
    const held = facts({ disputes: [dispute()] });
    const lost = facts({ disputes: [dispute({ state: 'lost' })] });

    expect(balances(follow(held))).toEqual({ card: -100, bank: 50, disputes: -50, ...cart });
    expect(balances(follow(held, lost))).toEqual({
      card: -100,
      bank: 50,
      'pending a': 25,
      'pending b': 15,
      'pending c': 10,
    });
  });

  it('returns what a bank reinstates, whether the dispute is won, lost in part, or won late', () => {
    const back = (cents: number) => ({ transactionId: `back ${cents}`, cents, createdAt: at(40) });
    const [withdrawal] = dispute().transactions as [StripeDispute['transactions'][number]];
    const withBack = (state: StripeDispute['state'], ...cents: number[]) =>
      facts({ disputes: [dispute({ state, transactions: [withdrawal, ...cents.map(back)] })] });
    const whole = { card: -100, ...cart };

    expect(balances(follow(withBack('open'), withBack('won', 50)))).toEqual(whole);
    expect(balances(follow(withBack('lost', 30)))).toEqual({
      card: -100,
      bank: 20,
      'pending a': 40,
      'pending b': 24,
      'pending c': 16,
    });
    expect(balances(follow(withBack('lost'), withBack('lost', 30)))).toEqual(
      balances(follow(withBack('lost', 30))),
    );
    expect(balances(follow(withBack('lost', 30), withBack('won', 30, 20)))).toEqual(whole);
  });

  it('takes what a bank withdraws beyond the charge as a loss', () => {
    const transactions = [{ transactionId: 'txn', cents: -130, createdAt: at(30) }];

    expect(
      balances(follow(facts({ disputes: [dispute({ state: 'lost', transactions })] }))),
    ).toEqual({ card: -100, bank: 130, losses: -30 });
  });

  it('counts a refund once if its order is stored only after it, as after a restore', () => {
    const early = facts({ refunds: [refund('re', { refundKey: 'a', cents: 50 })] });
    const late = facts({
      fills: [fill('a', { status: 'succeeded', refundId: 're' })],
      refunds: early.refunds,
    });

    expect(balances(follow(early, late))).toEqual(balances(follow(early)));
  });
});

describe('the release of a share', () => {
  const terms = { percent: 10, fixedCents: 0 };
  const only = (changed: Partial<PaymentFacts['shares'][number]> = {}) => ({
    charge: { chargeId: 'ch', cents: 50, createdAt: at(0) },
    shares: [{ ...share('a', 50), terms, releaseAt: at(59), ...changed }],
  });
  const releasedCents = (...readings: PaymentFacts[]) => {
    const entries = follow(...readings);
    const names = ['pending', 'commission', 'available'] as const;
    return names.map((name) => balanceOf(entries, name, 'a'));
  };

  it('splits it between the commission and its owner once its time has come', () => {
    expect(releasedCents(facts(only()))).toEqual([0, 5, 45]);
  });

  it.each([
    ['its time has not come', { releaseAt: new Date(at(59).getTime() + 1) }],
    ['its rental is not over', { releaseAt: null }],
    ['its terms were not read', { terms: undefined }],
  ])('waits while %s', (_, changed) => {
    const early = facts(only(changed));

    expect(releasedCents(early)).toEqual([50, 0, 0]);
    expect(releasedCents(early, facts(only()))).toEqual([0, 5, 45]);
  });

  it.each([
    ['Stripe has an open dispute', { disputes: [dispute()] }],
    ['an inquiry is open', { disputes: [dispute({ state: 'inquiry', transactions: [] })] }],
    ['our table has an open dispute', { isContested: true }],
  ])('waits while %s', (_, changed) => {
    expect(releasedCents(facts({ ...only(), ...changed }))[2]).toBe(0);
  });

  it('does not wait for an inquiry that an admin has waived', () => {
    const disputes = [dispute({ state: 'inquiry', transactions: [] })];

    expect(releasedCents(facts({ ...only(), disputes, waived: ['du'] }))).toEqual([0, 5, 45]);
  });

  it('takes the commission only from what a refund has left', () => {
    const orders = [order('a', { cents: 20 })];

    expect(releasedCents(facts({ ...only(), orders }))).toEqual([0, 3, 27]);
  });
});

describe('fitFills', () => {
  const orders = [
    order('a', { cents: 30 }),
    order('a:2', { bookingId: 'a', cents: 20, createdAt: at(11) }),
  ];
  const fitted = (changed: Partial<PaymentFacts>) => {
    const all = facts({ orders, ...changed });
    const { added, withdrawn } = fitFills(all, follow(facts({ orders }), all));
    return {
      added: added.map(({ key, cents }) => [key, cents]),
      withdrawn: withdrawn.map((one) => [one.fill.key, one.cents]),
    };
  };
  const outside = refund('re_out', { cents: 60 });
  const fills = [
    fill('a', { cents: 30 }),
    fill('a:2', { bookingId: 'a', cents: 20, createdAt: at(11) }),
  ];

  it('adds a row for each order', () => {
    expect(fitted({})).toEqual({
      added: [
        ['a', 30],
        ['a:2', 20],
      ],
      withdrawn: [],
    });
  });

  it('changes nothing once the rows are there', () => {
    expect(fitted({ fills })).toEqual({ added: [], withdrawn: [] });
  });

  it('withdraws the newest row whose money was refunded in the dashboard', () => {
    const refunds = [outside];
    expect(fitted({ fills, refunds })).toEqual({ added: [], withdrawn: [['a:2', 10]] });
  });

  it('adds another row for an order once its money is back', () => {
    const shrunk = [...fills.slice(0, 1), fill('a:2', { ...fills[1], cents: 10 })];
    expect(fitted({ fills: shrunk })).toEqual({ added: [['a:2:again:2', 10]], withdrawn: [] });
  });

  it('does not withdraw what Stripe has', () => {
    const sent = fills.map((one) => ({ ...one, refundId: `re_${one.key}` }));
    expect(fitted({ fills: sent, refunds: [outside] }).withdrawn).toEqual([]);
  });

  it('adds nothing for a voided row that Stripe refunded after all', () => {
    const voided = fills.map((one) => ({ ...one, status: 'voided' as const }));
    const made = voided.map(({ key, cents }) => refund(`re_${key}`, { refundKey: key, cents }));
    expect(fitted({ fills: voided, refunds: made }).added).toEqual([]);
  });
});
