import type { Envelope, SecondFactorChange } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import type { Logger, Transaction } from '@lendtools/service-kit';
import { verifySync } from 'otplib';
import type { SecretBox } from '../credentials/secret-box.ts';
import { secondFactorWrong } from '../domain/errors.ts';
import type { User } from '../domain/user.ts';
import {
  findSecondFactors,
  lockTotp,
  recordTotpStep,
  spendRecoveryCode,
  type TotpFactor,
} from '../store/second-factor-repository.ts';

/** Clocks of phones differ, and typing takes time: the codes before and after the current one are valid too. */
const toleranceSeconds = 30;

const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

interface FactorDeps {
  secretBox: SecretBox;
  logger: Logger;
}

const openSecret = ({ secretBox, logger }: FactorDeps, userId: string, totp: TotpFactor) => {
  try {
    return secretBox.open(totp.secret, userId);
  } catch (error) {
    logger.error({ err: error, userId }, 'the secret of an authenticator app cannot be decrypted');
    return undefined;
  }
};

/** Returns the time step of a valid code; undefined if the code is wrong, used, or older than the last used one. */
export const findStep = (
  deps: FactorDeps,
  { userId, totp, code }: { userId: string; totp: TotpFactor; code: string },
): number | undefined => {
  if (!isTotpCode(code)) return undefined;
  const secret = openSecret(deps, userId, totp);
  if (secret === undefined) return undefined;
  const result = verifySync({ secret, token: code, epochTolerance: toleranceSeconds });
  if (!result.valid || !('timeStep' in result)) return undefined;
  return result.timeStep > totp.lastStep ? result.timeStep : undefined;
};

export const secondFactorChanged = async (
  tx: Transaction,
  { id: userId, version, email, firstName }: User,
  why: { change: SecondFactorChange; reason?: string },
): Promise<Envelope> => {
  const { recoveryCodesLeft } = await findSecondFactors(tx, userId);
  const about = { id: userId, version };
  const data = { userId, email, firstName, recoveryCodesLeft, ...why };
  return newEvent('SecondFactorChanged', about, data);
};

/**
 * Consumes a code of the app, or a recovery code. Returns the events to publish. Limit the attempts first.
 * @throws AppError 403 for a wrong or used code
 */
export const spendSecondFactor = async (
  deps: FactorDeps,
  tx: Transaction,
  { user, code }: { user: User; code: string },
): Promise<Envelope[]> => {
  if (isTotpCode(code)) {
    const totp = await lockTotp(tx, user.id);
    const step = totp?.confirmedAt && findStep(deps, { userId: user.id, totp, code });
    if (!step) throw secondFactorWrong();
    await recordTotpStep(tx, user.id, step);
    return [];
  }
  if (!(await spendRecoveryCode(tx, user.id, code))) throw secondFactorWrong();
  return [await secondFactorChanged(tx, user, { change: 'recovery-code-used' })];
};
