import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { isDisabled } from '../../domain/deletion.ts';
import { addMailedToken, hasFreshToken } from '../../store/mailed-token-repository.ts';
import { findUserByEmail, lockUser } from '../../store/user-repository.ts';

/** Replies are delayed far longer than the work takes, so their timing does not reveal whether an account exists. */
const answerAfterMs = 100;

/**
 * Emails a password link. Anyone may request one for any email, so to prevent flooding, no link is sent while an earlier one
 * is valid for at least 15 more minutes. Links start with our configured URL, never with the request's Host header.
 */
const requestLink = ({ pool }: Deps, email: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const found = await findUserByEmail(tx, email);
    // Lock the user: only the first of several concurrent requests may create a link. Then compare the email, which may have changed.
    const user = found && (await lockUser(tx, found.id));
    if (!user || user.email !== found.email || isDisabled(user)) return;
    const { id: userId, firstName } = user;
    if (await hasFreshToken(tx, 'password', userId)) return;
    const token = await addMailedToken(tx, 'password', { userId });
    const data = { userId, email, firstName, token };
    await addToOutbox(tx, newEvent('PasswordResetRequested', user, data));
  });

const requestOn = (
  deps: Deps,
  route: typeof routes.requestPasswordToken | typeof routes.userRequestPasswordToken,
) =>
  handle(route, async ({ body, request }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    await deps.limits.resetMail(body.email, request.ip ?? '');
    await Promise.all([requestLink(deps, body.email), delay(answerAfterMs)]);
    return {
      message:
        'If there is an account with this email, a link to reset the password is on its way.',
    };
  });

/** The API documentation lists two paths for this request. */
export const requestPasswordToken = (deps: Deps) => requestOn(deps, routes.requestPasswordToken);
export const userRequestPasswordToken = (deps: Deps) =>
  requestOn(deps, routes.userRequestPasswordToken);
