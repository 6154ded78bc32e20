import { routes } from '@lendtools/contracts';
import { handle, type Transaction } from '@lendtools/service-kit';
import { recordingRejections } from '../../../audit/record-login.ts';
import type { Deps } from '../../../deps.ts';
import { passkeyRejected } from '../../../domain/errors.ts';
import type { User } from '../../../domain/user.ts';
import { openSession } from '../../../sessions/open-session.ts';
import { findPasskeyUser } from '../../../store/passkey-repository.ts';
import { findUser } from '../../../store/user-repository.ts';
import { proveFactor } from '../../prove-factor.ts';
import { optionsFor } from '../passkey-options.ts';

export const startPasskeyLogin = (deps: Deps) =>
  handle(routes.startPasskeyLogin, ({ response }) => {
    response.set('Cache-Control', 'no-store');
    return optionsFor(deps, { purpose: 'log in' });
  });

/** Logs in with a passkey alone: neither email nor password is needed. */
export const passkeyLogin = (deps: Deps) =>
  handle(routes.passkeyLogin, async ({ body, request, response }) => {
    deps.cookie.rejectCrossSite(request, { byCookie: false });
    const { passkey, returnRefreshToken, keepAccount } = body;
    const ofNetwork = await deps.limits.passkey(request.ip ?? '');
    const userId = await findPasskeyUser(deps.pool, Buffer.from(passkey.id, 'base64url'));
    const found = userId && (await findUser(deps.pool, userId));
    if (!found) throw passkeyRejected();
    const isKnownDevice = deps.device.isKnown(request, found.email);
    const ofUser = await deps.limits.secondFactor(found.id, isKnownDevice);
    const use = { purpose: 'log in' } as const;
    const login = {
      found,
      returnRefreshToken,
      keepAccount,
      prove: (tx: Transaction, user: User) => proveFactor(deps, tx, { user, passkey, use }),
    };
    const reply = await recordingRejections(deps, { user: found, request }, () =>
      openSession(deps, { request, response }, login),
    );
    await ofUser.succeeded();
    await ofNetwork.succeeded();
    return reply;
  });
