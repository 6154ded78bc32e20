import type { Booking } from './index.ts';

/** The change that the owner is asked about, or has accepted while the card is being charged. */
export const findPendingChange = ({
  changeRequest,
}: Pick<Booking, 'changeRequest'>): Booking['changeRequest'] => {
  const state = changeRequest?.state;
  return state === 'asked' || state === 'accepted' ? changeRequest : undefined;
};
