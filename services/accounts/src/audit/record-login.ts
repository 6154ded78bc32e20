import { createHmac, randomUUIDv7 } from 'node:crypto';
import { type AuditAction, isAdminRole } from '@lendtools/contracts';
import { AppError, currentContext, type Db, spend } from '@lendtools/service-kit';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import type { User } from '../domain/user.ts';
import { describeDevice } from '../sessions/describe-device.ts';
import { insertEntry } from '../store/audit-repository.ts';

type LoginAction = Extract<
  AuditAction,
  'logIn' | 'confirmLogin' | 'enteredPassword' | 'rejectedLogin'
>;

interface Login {
  user: Pick<User, 'id' | 'role'>;
  request: Request;
  action: LoginAction;
  /** Why the login was rejected. */
  code?: string;
}

/** Records a login of an admin. No-op for a member, whose sessions and log lines show it. */
export const recordLogin = async (
  { tokens }: Pick<Deps, 'tokens'>,
  db: Db,
  { user, request, action, code }: Login,
): Promise<void> => {
  if (!isAdminRole(user.role)) return;
  const { network } = describeDevice(request);
  await insertEntry(db, {
    id: randomUUIDv7(),
    at: new Date().toISOString(),
    actorId: user.id,
    actorRole: user.role,
    action,
    subject: null,
    details: code === undefined ? {} : { code },
    network: network && hashOf(network, tokens.networkKey),
    requestId: currentContext()?.correlationId ?? null,
  });
};

/**
 * Records a login that opens no session, up to 20 an hour for each account and reason: the table is never purged, and anyone can guess.
 * A guessed password does not use up the entries of a right one.
 */
export const recordUnfinishedLogin = async (
  deps: Pick<Deps, 'tokens' | 'pool' | 'quotas'>,
  { user, request, code }: Omit<Login, 'action'> & { code: string },
): Promise<void> => {
  if (!isAdminRole(user.role)) return;
  const quota = { ...deps.quotas.recordedLogins, kind: `recorded-${code}` };
  try {
    await spend(deps.pool, user.id, quota);
  } catch (error) {
    if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS') return;
    throw error;
  }
  const login: Login =
    code === 'SECOND_FACTOR_REQUIRED'
      ? { user, request, action: 'enteredPassword' }
      : { user, request, action: 'rejectedLogin', code };
  await recordLogin(deps, deps.pool, login);
};

/** Runs the rest of a login. Records why an admin is rejected, or that a code has to follow the right password. */
export const recordingRejections = async <T>(
  deps: Deps,
  about: Pick<Login, 'user' | 'request'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // Attempts over a rate limit add no entries.
    if (error instanceof AppError && error.code !== 'TOO_MANY_REQUESTS')
      await recordUnfinishedLogin(deps, { ...about, code: error.code });
    throw error;
  }
};

/** Equal networks have equal hashes while the signing key stays. */
const hashOf = (network: string, key: Buffer): string =>
  createHmac('sha256', key).update(network).digest('base64url').slice(0, 16);
