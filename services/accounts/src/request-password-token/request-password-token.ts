import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { addMailedToken, hasFreshToken } from '../mailed-token-repository.ts';
import { findUserByEmail, lockUser } from '../user-repository.ts';

/** Far longer than the work takes, so that the reply time does not reveal whether the account exists. */
const answerAfterMs = 100;

/**
 * Anyone may request a link for any email. No further link is sent while an unused one is valid for another 15
 * minutes. This prevents flooding, and the owner of the mailbox always has a usable link.
 *
 * Notifications sends the email. Its link starts with our own URL, whatever Host header the request had.
 */
const requestLink = ({ pool }: Deps, email: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const found = await findUserByEmail(tx, email);
    // The lock serializes concurrent requests, so only the first creates a link. The email may have changed before we
    // got the lock.
    const user = found && (await lockUser(tx, found.id));
    if (!user || user.email !== found.email || user.disabledAt) return;
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
    deps.cookie.refuseCrossSite(request, { byCookie: false });
    await deps.limits.resetMail(body.email, request.ip ?? '');
    await Promise.all([requestLink(deps, body.email), delay(answerAfterMs)]);
    return {
      message:
        'If there is an account with this email, a link to reset the password is on its way.',
    };
  });

/** The documents name two paths for this route. */
export const requestPasswordToken = (deps: Deps) => requestOn(deps, routes.requestPasswordToken);
export const userRequestPasswordToken = (deps: Deps) =>
  requestOn(deps, routes.userRequestPasswordToken);
