/** `inquiry`: the bank takes no money yet. `open`: the bank holds it. `won`: the bank returned it, or took none. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost';

const states: Record<string, DisputeState> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  prevented: 'won',
  won: 'won',
  lost: 'lost',
};

/** A status that is unknown here counts as open, so that the disputed money is not refunded as well. */
export const disputeStateOf = (status: string): DisputeState => states[status] ?? 'open';

/** Whether a bank may still take the money. */
export const isOpen = (state: DisputeState): boolean => state === 'inquiry' || state === 'open';

/**
 * @param dueBy Unix time in seconds, as Stripe returns it; 0 if the bank accepts no evidence
 * @returns null if no evidence can be submitted
 */
export const answerByOf = (status: string, dueBy: number | null): Date | null =>
  status.endsWith('needs_response') && dueBy ? new Date(dueBy * 1_000) : null;

interface StoredDispute {
  amountCents: number;
  state: DisputeState;
}

export interface DisputeSums {
  /** Cents that banks hold until they have decided. */
  heldCents: number;
  /** Cents that banks have given to the cardholder for good. */
  lostCents: number;
  /** The most important state among the payment's disputes. */
  dispute: DisputeState | null;
}

const byWeight: DisputeState[] = ['open', 'lost', 'inquiry', 'won'];

export const sumDisputes = (disputes: StoredDispute[]): DisputeSums => {
  const sumOf = (state: DisputeState) =>
    disputes.reduce((sum, one) => sum + (one.state === state ? one.amountCents : 0), 0);
  return {
    heldCents: sumOf('open'),
    lostCents: sumOf('lost'),
    dispute: byWeight.find((state) => disputes.some((one) => one.state === state)) ?? null,
  };
};
