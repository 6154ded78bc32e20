import type { Envelope } from '@lendtools/contracts';
import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  handle,
  type Identity,
  requireFreshLogin,
  type Transaction,
  unauthenticated,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import {
  passwordRejected,
  passwordWrong,
  resetFailed,
  resetTokenInvalid,
} from '../../domain/errors.ts';
import { toProfile, type User } from '../../domain/user.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import { type Device, describeDevice } from '../../sessions/describe-device.ts';
import {
  dropMailedTokens,
  findMailedToken,
  spendMailedToken,
} from '../../store/mailed-token-repository.ts';
import { requirePasswordForPasskeys } from '../../store/passkey-repository.ts';
import { hasSecondFactor } from '../../store/second-factor-repository.ts';
import { endSessions, startSession } from '../../store/session-repository.ts';
import { findUser, lockUser, passwordChanged, saveUser } from '../../store/user-repository.ts';
import { checkCurrentPassword } from '../check-current-password.ts';
import { findPasswordProblem } from '../find-password-problem.ts';

/** Sets a new password, given an emailed token or the current password. Ends all sessions and revokes the calendar address. */
export const resetPassword = (deps: Deps) =>
  handle(routes.resetPassword, async ({ body, user, request, response }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const { token, newPassword, currentPassword } = body;
    if (token) await resetByToken(deps, token, newPassword);
    else if (currentPassword === undefined) throw resetTokenInvalid();
    else if (!user) throw unauthenticated();
    else {
      const change = { currentPassword, newPassword, device: describeDevice(request) };
      deps.cookie.set(response, await resetSignedIn(deps, user, change));
    }
    return { message: 'Your password is changed.' };
  });

const resetByToken = async (deps: Deps, token: string, newPassword: string): Promise<void> => {
  const found = await findMailedToken(deps.pool, 'password', token);
  const before = found && (await findUser(deps.pool, found.userId));
  if (!before) throw resetTokenInvalid();
  await checkNewPassword(deps, before, newPassword);
  const passwordHash = await deps.hasher.hash(newPassword);
  await cutAccess(deps, async (tx, publish) => {
    // Lock the user before the token, or two links of one user could deadlock.
    const user = await lockUser(tx, before.id);
    if (!user || !(await spendMailedToken(tx, 'password', token))) throw resetTokenInvalid();
    // Following the link proves that the user reads the mailbox.
    const verifiesEmail = user.emailVerifiedAt === null;
    await requirePasswordForPasskeys(tx, user.id);
    publish(...(await setPassword(tx, user, { passwordHash, verifiesEmail })));
  });
};

/** Ends the requesting session too, because its token may be stolen. A new refresh token keeps the user signed in. */
const resetSignedIn = async (
  deps: Deps,
  caller: Identity,
  {
    currentPassword,
    newPassword,
    device,
  }: { currentPassword: string; newPassword: string; device: Device },
): Promise<string> => {
  const { userId } = caller;
  const before = await findUser(deps.pool, userId);
  if (!before) throw unauthenticated();
  if (await hasSecondFactor(deps.pool, userId)) requireFreshLogin(caller);
  const wrong = { path: 'currentPassword', message: resetFailed };
  await checkCurrentPassword(deps, before, { typed: currentPassword, ...wrong });
  await checkNewPassword(deps, before, newPassword);
  const passwordHash = await deps.hasher.hash(newPassword);
  return cutAccess(deps, async (tx, publish) => {
    const user = await lockUser(tx, userId);
    if (user?.passwordHash !== before.passwordHash || user.disabledAt)
      throw passwordWrong(wrong.path, wrong.message);
    const hasFactor = await hasSecondFactor(tx, userId);
    if (hasFactor) requireFreshLogin(caller);
    publish(...(await setPassword(tx, user, { passwordHash, verifiesEmail: false })));
    // The second factor was not checked again, so the login stays as old as it was.
    const authenticatedAt = hasFactor ? new Date(caller.authenticatedAtMs) : undefined;
    return (await startSession(tx, { userId, device, authenticatedAt })).refreshToken;
  });
};

/** @throws AppError 400 if the password is easy to guess; 429 after twenty attempts */
const checkNewPassword = async ({ limits }: Deps, user: User, typed: string): Promise<void> => {
  await limits.newPassword(user.id);
  const problem = await findPasswordProblem(typed, user);
  if (problem) throw passwordRejected(problem, 'newPassword');
};

const setPassword = async (
  tx: Transaction,
  user: User,
  { passwordHash, verifiesEmail }: { passwordHash: string; verifiesEmail: boolean },
): Promise<Envelope[]> => {
  const verified = verifiesEmail && { emailVerifiedAt: new Date() };
  const saved = await saveUser(tx, { ...user, passwordHash, ...verified });
  await dropMailedTokens(tx, user.id);
  const ended = await endSessions(tx, { userId: user.id });
  const profile = verified ? [newEvent('AccountUpdated', saved, toProfile(saved))] : [];
  return [...profile, passwordChanged(saved), ...ended];
};
