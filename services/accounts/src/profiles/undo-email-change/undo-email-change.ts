import { type Envelope, isAdminRole, routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  type AppError,
  handle,
  newToken,
  type Transaction,
  violatedConstraint,
} from '@lendtools/service-kit';
import { keepAccount } from '../../deletion/keep-account.ts';
import type { Deps } from '../../deps.ts';
import { isClosed } from '../../domain/deletion.ts';
import {
  emailTaken,
  emailTokenInvalid,
  formerEmailNotFound,
  userNotFound,
} from '../../domain/errors.ts';
import { toApiUser, toProfile, type User } from '../../domain/user.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import {
  deleteChangesSince,
  type FormerEmail,
  findUndoableChange,
  listFormerEmails,
} from '../../store/former-email-repository.ts';
import { addMailedToken, dropMailedTokens } from '../../store/mailed-token-repository.ts';
import {
  deleteAddedPasskeysSince,
  deleteSecondFactorsSince,
} from '../../store/second-factor-repository.ts';
import { endSessions } from '../../store/session-repository.ts';
import { lockUser, passwordChanged, saveUser } from '../../store/user-repository.ts';

/** Accepts the link that the old address got when the email was changed. */
export const undoEmailChange = (deps: Deps) =>
  handle(routes.undoEmailChange, async ({ body, request }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const change = await findUndoableChange(deps.pool, body.token);
    if (!change) throw emailTokenInvalid();
    const user = await restore(deps, change, { undone: emailTokenInvalid });
    return {
      message: `Your email is ${user.email} again. All devices are logged out, and the password no longer works: choose a new one with the link that we just sent you.`,
    };
  });

export const showFormerEmails = ({ pool }: Deps) =>
  handle(routes.formerEmails, async ({ params }) => {
    const found = await listFormerEmails(pool, params.userId);
    return {
      formerEmails: found.map(({ email, changedAt }) => ({
        email,
        changedAt: changedAt.toISOString(),
      })),
    };
  });

/** An admin does what the link does, also after its 72 hours. */
export const restoreEmail = (deps: Deps) =>
  handle(routes.restoreEmail, async ({ params, body, user: admin }) => {
    const found = await listFormerEmails(deps.pool, params.userId);
    // The oldest change from this address: a thief may have changed it back and forth.
    const change = found.findLast(({ email }) => email === body.email);
    if (!change) throw formerEmailNotFound();
    const user = await restore(deps, change, { undone: userNotFound, reason: body.reason });
    deps.logger.warn({ userId: user.id, adminId: admin.userId }, 'an admin restored an email');
    return { user: toApiUser(user) };
  });

/**
 * Gives the account back to the person who reads the old address, and nobody else: a thief knew the password and may have
 * added a second factor, which is removed.
 * @throws the error from `undone`, if the change is undone already
 */
const restore = async (
  deps: Deps,
  change: FormerEmail,
  { undone, reason }: { undone: () => AppError; reason?: string },
): Promise<User> => {
  const passwordHash = await deps.hasher.hash(newToken());
  return cutAccess(deps, async (tx, publish) => {
    const user = await lockUser(tx, change.userId);
    if (!user || !(await deleteChangesSince(tx, change))) throw undone();
    const { email } = change;
    // A thief may have requested the deletion too.
    const current = isClosed(user) ? await keepAccount(tx, user, publish) : user;
    const restored = { ...current, email, passwordHash, emailVerifiedAt: new Date() };
    const saved = await saveUser(tx, restored);
    await dropMailedTokens(tx, user.id, { verify: true });
    // The mailbox must not suffice to become an admin, so an admin keeps at least one factor.
    const deleteFactors = isAdminRole(user.role)
      ? deleteAddedPasskeysSince
      : deleteSecondFactorsSince;
    await deleteFactors(tx, user.id, change.changedAt);
    if (reason !== undefined) publish(emailRestored(saved, user.email, reason));
    publish(newEvent('AccountUpdated', saved, toProfile(saved)), passwordChanged(saved));
    publish(...(await endSessions(tx, { userId: user.id })), await requestPassword(tx, saved));
    return saved;
  }).catch((error: unknown) => {
    throw violatedConstraint(error) === 'users_email_taken' ? emailTaken() : error;
  });
};

const emailRestored = (
  { id: userId, version, firstName, email }: User,
  replacedEmail: string,
  reason: string,
): Envelope =>
  newEvent(
    'EmailRestored',
    { id: userId, version },
    { userId, firstName, email, replacedEmail, reason },
  );

const requestPassword = async (tx: Transaction, user: User): Promise<Envelope> => {
  const { id: userId, email, firstName } = user;
  const token = await addMailedToken(tx, 'password', { userId });
  return newEvent('PasswordResetRequested', user, { userId, email, firstName, token });
};
