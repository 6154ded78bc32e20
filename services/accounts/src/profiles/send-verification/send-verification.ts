import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { userNotFound } from '../../domain/errors.ts';
import type { User } from '../../domain/user.ts';
import { addMailedToken } from '../../store/mailed-token-repository.ts';
import { findUser, lockUser } from '../../store/user-repository.ts';

/** Sends the verification link again. Counts towards the limits on emails to unverified addresses. */
export const sendVerification = ({ pool, limits }: Deps) =>
  handle(routes.sendVerification, async ({ params, request }) => {
    const found = await findUser(pool, params.userId);
    if (!found) throw userNotFound();
    if (found.emailVerifiedAt) return { message: 'Your email is verified already.' };
    await limits.mail(found.email, request.ip ?? '');
    await inTransaction(pool, async (tx) => {
      const user = await lockUser(tx, found.id);
      if (user && !user.emailVerifiedAt) await requestVerification(tx, user, { isWelcome: false });
    });
    return { message: `We sent a link to ${found.email}. It works for a week.` };
  });

/** Publishes the event whose consumer emails the verification link. */
export const requestVerification = async (
  tx: Transaction,
  user: User,
  { isWelcome }: { isWelcome: boolean },
): Promise<void> => {
  const { id: userId, email, firstName, lastName } = user;
  const token = await addMailedToken(tx, 'verify', { userId });
  const data = { userId, email, firstName, lastName, token, isWelcome };
  await addToOutbox(tx, newEvent('EmailVerificationRequested', user, data));
};
