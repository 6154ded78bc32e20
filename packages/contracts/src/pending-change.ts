import type { Booking } from './index.ts';

/** The change that waits for the owner's answer, or was accepted and is being charged. */
export const findPendingChange = ({
  changeRequest,
}: Pick<Booking, 'changeRequest'>): Booking['changeRequest'] => {
  const state = changeRequest?.state;
  return state === 'asked' || state === 'accepted' ? changeRequest : undefined;
};
