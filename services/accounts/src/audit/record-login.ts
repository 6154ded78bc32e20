import { createHmac, randomUUIDv7 } from 'node:crypto';
import { type AuditAction, isAdminRole } from '@lendtools/contracts';
import { AppError, currentContext, type Db } from '@lendtools/service-kit';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import type { User } from '../domain/user.ts';
import { describeDevice } from '../sessions/describe-device.ts';
import { insertEntry } from '../store/audit-repository.ts';

type LoginAction = Extract<AuditAction, 'logIn' | 'confirmLogin' | 'rejectedLogin'>;

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

/** Not rejected: the login goes on with a code, or a limit rejects further attempts. */
const notRejected = new Set(['SECOND_FACTOR_REQUIRED', 'TOO_MANY_REQUESTS']);

/** Runs the rest of a login, and records why an admin is rejected. */
export const recordingRejections = async <T>(
  deps: Deps,
  about: Pick<Login, 'user' | 'request'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && !notRejected.has(error.code))
      await recordLogin(deps, deps.pool, { ...about, action: 'rejectedLogin', code: error.code });
    throw error;
  }
};

/** Equal networks have equal hashes while the signing key stays. */
const hashOf = (network: string, key: Buffer): string =>
  createHmac('sha256', key).update(network).digest('base64url').slice(0, 16);
