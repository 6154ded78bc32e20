import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction, violatedConstraint } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { emailTaken, emailTokenInvalid } from '../errors.ts';
import { dropMailedTokens, findMailedToken, spendMailedToken } from '../mailed-token-repository.ts';
import { lockUser, saveUser, toProfile } from '../user-repository.ts';

export const confirmEmail = ({ pool, cookie }: Deps) =>
  handle(routes.confirmEmail, async ({ body, request }) => {
    cookie.refuseCrossSite(request, { byCookie: false });
    const found = await findMailedToken(pool, 'email', body.token);
    if (!found) throw emailTokenInvalid();
    await inTransaction(pool, async (tx) => {
      const user = await lockUser(tx, found.userId);
      const spent = await spendMailedToken(tx, 'email', body.token);
      if (!user || !spent?.newEmail) throw emailTokenInvalid();
      const saved = await saveUser(tx, { ...user, email: spent.newEmail });
      await dropMailedTokens(tx, user.id);
      await addToOutbox(tx, newEvent('AccountUpdated', saved, toProfile(saved)));
    }).catch((error: unknown) => {
      throw violatedConstraint(error) === 'users_email_taken' ? emailTaken() : error;
    });
    return { message: 'Your new email is confirmed.' };
  });
