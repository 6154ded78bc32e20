/** `inquiry`: the bank only asks, and takes no money. `open`: it holds the money. `won`: it returned the money, or took none. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost';

const states: Record<string, DisputeState> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  prevented: 'won',
  won: 'won',
  lost: 'lost',
};

/** Maps Stripe's statuses. A status that Stripe adds later counts as open, so that its money is not refunded as well. */
export const disputeStateOf = (status: string): DisputeState => states[status] ?? 'open';

/**
 * The deadline for evidence; null if none can be submitted.
 * @param dueBy Unix time in seconds, as Stripe returns it; 0 if the bank accepts no evidence
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
  /** The most important state among the payment's disputes; null without disputes. */
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
