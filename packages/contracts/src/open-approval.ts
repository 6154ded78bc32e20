import type { Booking } from './index.ts';

export type Approval = NonNullable<Booking['approval']>;
export type RequestedChange = NonNullable<Approval['change']>;

/** The approval that a booking or its change waits for: unanswered, or accepted while the card is being charged. */
const findOpenApproval = ({ approval }: Pick<Booking, 'approval'>): Approval | undefined =>
  approval?.status === 'pending' || approval?.status === 'accepted' ? approval : undefined;

/** The change that waits for the owner's approval, or is accepted while the card is being charged. */
export const requestedChangeOf = (
  booking: Pick<Booking, 'approval'>,
): RequestedChange | undefined => findOpenApproval(booking)?.change ?? undefined;

/** How long an owner may undo an acceptance before the card is charged. */
export const undoMs = 10_000;
