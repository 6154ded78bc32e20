import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  handle,
  inTransaction,
  type Transaction,
  violatedConstraint,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { emailTaken, emailTokenInvalid } from '../../domain/errors.ts';
import { toProfile, type User } from '../../domain/user.ts';
import { addFormerEmail, isReserved } from '../../store/former-email-repository.ts';
import {
  dropMailedTokens,
  findMailedToken,
  spendMailedToken,
} from '../../store/mailed-token-repository.ts';
import { lockUser, saveUser } from '../../store/user-repository.ts';

/** Accepts the link sent to a new email and the link in the welcome email. Following a link proves that the user reads the mailbox. */
export const confirmEmail = ({ pool, cookie }: Deps) =>
  handle(routes.confirmEmail, async ({ body, request }) => {
    cookie.rejectCrossSite(request, { byCookie: false });
    const { token } = body;
    const change = await findMailedToken(pool, 'email', token);
    const found = change ?? (await findMailedToken(pool, 'verify', token));
    if (!found) throw emailTokenInvalid();
    const purpose = change ? 'email' : 'verify';
    await inTransaction(pool, async (tx) => {
      const user = await lockUser(tx, found.userId);
      const spent = await spendMailedToken(tx, purpose, token);
      if (!user || !spent) throw emailTokenInvalid();
      await confirm(tx, user, spent.newEmail ?? user.email);
    }).catch((error: unknown) => {
      throw violatedConstraint(error) === 'users_email_taken' ? emailTaken() : error;
    });
    return {
      message: change ? 'Your new email is confirmed.' : 'Thank you! Your email is verified.',
    };
  });

const confirm = async (tx: Transaction, user: User, email: string): Promise<void> => {
  const saved = await saveUser(tx, { ...user, email, emailVerifiedAt: new Date() });
  // A pending change to another email stays valid when the current email is verified.
  if (email !== user.email) {
    if (await isReserved(tx, email, user.id)) throw emailTaken();
    await dropMailedTokens(tx, user.id, { verify: true });
    await offerUndo(tx, user, saved);
  }
  await addToOutbox(tx, newEvent('AccountUpdated', saved, toProfile(saved)));
};

/** An address that was never verified may be a stranger's: its owner must not get the account. */
const offerUndo = async (tx: Transaction, before: User, saved: User): Promise<void> => {
  if (!before.emailVerifiedAt) return;
  const { id: userId, firstName, email: newEmail } = saved;
  const oldEmail = before.email;
  const token = await addFormerEmail(tx, { userId, email: oldEmail });
  const data = { userId, firstName, oldEmail, newEmail, token };
  await addToOutbox(tx, newEvent('EmailChanged', saved, data));
};
