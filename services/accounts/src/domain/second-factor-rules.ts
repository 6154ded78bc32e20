export type SecondFactor = 'totp' | 'passkey' | 'recovery-code';

/** What a user has set up. */
export interface SecondFactors {
  totpSince: Date | null;
  passkeyCount: number;
  recoveryCodesLeft: number;
}

/** What a login accepts besides the password; empty if the password suffices. */
export const factorsOf = ({ totpSince, passkeyCount }: SecondFactors): SecondFactor[] => {
  const factors: SecondFactor[] = [];
  if (totpSince) factors.push('totp');
  if (passkeyCount > 0) factors.push('passkey');
  return factors.length > 0 ? [...factors, 'recovery-code'] : [];
};

/** How many passkeys a user may have. */
export const mostPasskeys = 20;

/**
 * Whether a passkey was used before with this counter or a higher one, so that there must be a copy of it. Passkeys that
 * are synchronized between devices have no counter: it stays 0.
 */
export const isCounterBehind = (presented: number, stored: number): boolean =>
  (presented > 0 || stored > 0) && presented <= stored;
