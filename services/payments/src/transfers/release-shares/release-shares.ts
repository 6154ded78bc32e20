import { type FollowDeps, followLedger } from '../../ledger/follow-ledger/follow-ledger.ts';
import { isReleaseDue } from '../../store/ledger-repository.ts';

/** Reads a payment's shares again, and releases those whose time has come, unless the renter or a bank may still get the money. */
export const releaseShares = async (deps: FollowDeps, paymentId: string): Promise<void> => {
  if (await isReleaseDue(deps.pool, paymentId)) await followLedger(deps, paymentId);
};
