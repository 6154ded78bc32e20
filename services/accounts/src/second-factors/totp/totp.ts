import { isAdminRole, routes } from '@lendtools/contracts';
import { handle, inTransaction, unavailable } from '@lendtools/service-kit';
import { generateSecret, generateURI } from 'otplib';
import type { Deps } from '../../deps.ts';
import {
  secondFactorExists,
  secondFactorNotFound,
  secondFactorWrong,
} from '../../domain/errors.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import {
  deleteTotp,
  hasSecondFactor,
  lockTotp,
  recordTotpStep,
  replaceRecoveryCodes,
  saveNewTotp,
} from '../../store/second-factor-repository.ts';
import { endSessions } from '../../store/session-repository.ts';
import { findStep, secondFactorChanged } from '../check-second-factor.ts';
import { lockCaller } from '../lock-caller.ts';
import { afterRemoval } from '../remove-second-factor.ts';

/** Creates the secret of an authenticator app. Logins don't need it before `confirmTotp`. */
export const startTotp = ({ pool, secretBox, canSeal }: Deps) =>
  handle(routes.startTotp, async ({ user: caller, response }) => {
    if (!canSeal) throw unavailable('Authenticator apps are not available on this site.');
    const secret = generateSecret();
    const email = await inTransaction(pool, async (tx) => {
      const user = await lockCaller(tx, caller);
      const totp = await lockTotp(tx, user.id);
      if (totp?.confirmedAt) throw secondFactorExists();
      await saveNewTotp(tx, user.id, secretBox.seal(secret, user.id));
      return user.email;
    });
    response.set('Cache-Control', 'no-store');
    return { secret, uri: generateURI({ issuer: 'LendTools', label: email, secret }) };
  });

/** Enables the app, so later logins need a code. Returns the recovery codes, which are not shown again. */
export const confirmTotp = (deps: Deps) =>
  handle(routes.confirmTotp, async ({ body, user: caller, response }) => {
    const attempt = await deps.limits.codeInSession(caller.sessionId);
    const recoveryCodes = await cutAccess(deps, async (tx, publish) => {
      const user = await lockCaller(tx, caller);
      const totp = await lockTotp(tx, user.id);
      if (!totp) throw secondFactorNotFound();
      if (totp.confirmedAt) throw secondFactorExists();
      const step = findStep(deps, { userId: user.id, totp, code: body.code });
      if (step === undefined) throw secondFactorWrong();
      await recordTotpStep(tx, user.id, step);
      const codes = await replaceRecoveryCodes(tx, user.id);
      publish(await secondFactorChanged(tx, user, { change: 'added' }));
      // These sessions began with the password only, and would be an admin's from now on.
      if (isAdminRole(user.role))
        publish(...(await endSessions(tx, { userId: user.id, except: caller.sessionId })));
      return codes;
    });
    await attempt.succeeded();
    response.set('Cache-Control', 'no-store');
    return { message: 'Logins need a code from your app from now on.', recoveryCodes };
  });

export const removeTotp = (deps: Deps) =>
  handle(routes.removeTotp, async ({ user: caller }) => {
    const hasAnother = await cutAccess(deps, async (tx, publish) => {
      const user = await lockCaller(tx, caller);
      const totp = await lockTotp(tx, user.id);
      if (!totp?.confirmedAt) throw secondFactorNotFound();
      await deleteTotp(tx, user.id);
      publish(...(await afterRemoval(tx, user, { change: 'removed' })));
      return hasSecondFactor(tx, user.id);
    });
    return {
      message: hasAnother
        ? 'Logins need a passkey or a recovery code from now on.'
        : 'Logins need only your password from now on.',
    };
  });
