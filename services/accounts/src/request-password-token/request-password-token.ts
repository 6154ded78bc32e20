import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { addMailedToken, hasFreshToken } from '../mailed-token-repository.ts';
import { findUserByEmail, lockUser } from '../user-repository.ts';

/** Many times what the work takes, so that the time of the answer doesn't tell whether there was any. */
const answerAfterMs = 100;

/**
 * Anybody may ask for anybody: while the last link is in the mailbox, unused and good for a quarter of an hour, there is no
 * other. So nobody is pestered, and whoever owns the mailbox can always get in.
 *
 * The mail itself goes out by the event; its link starts with our own address, whatever Host was asked.
 */
const mailLink = ({ pool }: Deps, email: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const found = await findUserByEmail(tx, email);
    // Of several who ask at once, one finds no link. Meanwhile the email may have become another.
    const user = found && (await lockUser(tx, found.id));
    if (!user || user.email !== found.email || user.disabledAt) return;
    const { id: userId, firstName } = user;
    if (await hasFreshToken(tx, 'password', userId)) return;
    const token = await addMailedToken(tx, 'password', { userId });
    const asked = { userId, email, firstName, token };
    await addToOutbox(tx, newEvent('PasswordResetRequested', user, asked));
  });

const requestOn = (
  deps: Deps,
  route: typeof routes.requestPasswordToken | typeof routes.userRequestPasswordToken,
) =>
  handle(route, async ({ body, request }) => {
    deps.cookie.refuseCrossSite(request, { byCookie: false });
    await deps.limits.resetMail(body.email, request.ip ?? '');
    await Promise.all([mailLink(deps, body.email), delay(answerAfterMs)]);
    return {
      message:
        'If there is an account with this email, a link to reset the password is on its way.',
    };
  });

/** Two documented paths for the same thing. */
export const requestPasswordToken = (deps: Deps) => requestOn(deps, routes.requestPasswordToken);
export const userRequestPasswordToken = (deps: Deps) =>
  requestOn(deps, routes.userRequestPasswordToken);
