import type { Envelope } from '@lendtools/contracts';
import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle, type Identity, type Transaction, unauthenticated } from '@lendtools/service-kit';
import { checkCurrentPassword } from '../check-current-password.ts';
import { cutAccess, type Deps } from '../deps.ts';
import { isCommonPassword } from '../domain/password-rules.ts';
import { passwordTooCommon, passwordWrong, resetFailed, resetTokenInvalid } from '../errors.ts';
import { dropMailedTokens, findMailedToken, spendMailedToken } from '../mailed-token-repository.ts';
import { endSessions, startSession } from '../session-repository.ts';
import {
  findUser,
  lockUser,
  passwordChanged,
  saveUser,
  toProfile,
  type User,
} from '../user-repository.ts';

/** With the emailed token, or signed in with the current password. Either ends every session and calendar address of the account. */
export const resetPassword = (deps: Deps) =>
  handle(routes.resetPassword, async ({ body, user, request, response }) => {
    deps.cookie.refuseCrossSite(request, { byCookie: false });
    const { token, newPassword, currentPassword } = body;
    if (isCommonPassword(newPassword)) throw passwordTooCommon('newPassword');
    if (token) await resetByToken(deps, token, newPassword);
    else if (currentPassword === undefined) throw resetTokenInvalid();
    else if (!user) throw unauthenticated();
    else {
      const change = { currentPassword, newPassword };
      deps.cookie.set(response, await resetSignedIn(deps, user, change));
    }
    return { message: 'Your password is changed.' };
  });

const resetByToken = async (deps: Deps, token: string, newPassword: string): Promise<void> => {
  const found = await findMailedToken(deps.pool, 'password', token);
  if (!found) throw resetTokenInvalid();
  const passwordHash = await deps.hasher.hash(newPassword);
  await cutAccess(deps, async (tx, tell) => {
    // First the user, then the token: two links of one user must not wait for each other.
    const user = await lockUser(tx, found.userId);
    if (!user || !(await spendMailedToken(tx, 'password', token))) throw resetTokenInvalid();
    // Who follows the link reads the email.
    const verifiesEmail = user.emailVerifiedAt === null;
    tell(...(await setPassword(tx, user, { newPassword, passwordHash, verifiesEmail })));
  });
};

/**
 * The session that asks ends too, because its token may be the stolen one; a new refresh token, returned for the
 * cookie, keeps whoever knows the password signed in.
 */
const resetSignedIn = async (
  deps: Deps,
  { userId }: Identity,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<string> => {
  const before = await findUser(deps.pool, userId);
  if (!before) throw unauthenticated();
  const wrong = { path: 'currentPassword', message: resetFailed };
  await checkCurrentPassword(deps, before, { typed: currentPassword, ...wrong });
  const passwordHash = await deps.hasher.hash(newPassword);
  return cutAccess(deps, async (tx, tell) => {
    const user = await lockUser(tx, userId);
    if (user?.passwordHash !== before.passwordHash || user.disabledAt)
      throw passwordWrong(wrong.path, wrong.message);
    const change = { newPassword, passwordHash, verifiesEmail: false };
    tell(...(await setPassword(tx, user, change)));
    return (await startSession(tx, userId)).refreshToken;
  });
};

const setPassword = async (
  tx: Transaction,
  user: User,
  change: { newPassword: string; passwordHash: string; verifiesEmail: boolean },
): Promise<Envelope[]> => {
  const { newPassword, passwordHash, verifiesEmail } = change;
  if (isCommonPassword(newPassword, user.email, user.userName))
    throw passwordTooCommon('newPassword');
  const verified = verifiesEmail && { emailVerifiedAt: new Date() };
  const saved = await saveUser(tx, { ...user, passwordHash, ...verified });
  await dropMailedTokens(tx, user.id);
  const ended = await endSessions(tx, { userId: user.id });
  const profile = verified ? [newEvent('AccountUpdated', saved, toProfile(saved))] : [];
  return [...profile, passwordChanged(saved), ...ended];
};
