/** What a dispute does to a payment's money: pure rules. */

/** `inquiry`: the bank only asks, and takes nothing. `open`: it has the money. `won`: it gave it back, or took none. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost';

const states: Record<string, DisputeState> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  prevented: 'won',
  won: 'won',
  lost: 'lost',
};

/**
 * Stripe's statuses map to four of ours. Any later addition counts as open: the money is not promised to anybody
 * else.
 */
export const disputeStateOf = (status: string): DisputeState => states[status] ?? 'open';

/**
 * Until when evidence may be submitted; null where none can be, or none can any more.
 * @param dueBy as Stripe says it, in seconds; 0 where the bank accepts none
 */
export const answerByOf = (status: string, dueBy: number | null): Date | null =>
  status.endsWith('needs_response') && dueBy ? new Date(dueBy * 1_000) : null;

interface KnownDispute {
  amountCents: number;
  state: DisputeState;
}

export interface DisputeSums {
  /** Cents that banks hold until they have decided. */
  heldCents: number;
  /** Cents that banks have given to the cardholder for good. */
  lostCents: number;
  /** Of the payment's disputes, the one that matters most; null where there is none. */
  dispute: DisputeState | null;
}

const byWeight: DisputeState[] = ['open', 'lost', 'inquiry', 'won'];

export const sumDisputes = (disputes: KnownDispute[]): DisputeSums => {
  const sumOf = (state: DisputeState) =>
    disputes.reduce((sum, one) => sum + (one.state === state ? one.amountCents : 0), 0);
  return {
    heldCents: sumOf('open'),
    lostCents: sumOf('lost'),
    dispute: byWeight.find((state) => disputes.some((one) => one.state === state)) ?? null,
  };
};
