import { isAdminRole, newPasskeyOptions, routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { Deps } from '../../../deps.ts';
import {
  passkeyExists,
  passkeyNotFound,
  tooManyPasskeys,
  userNotFound,
} from '../../../domain/errors.ts';
import { mostPasskeys } from '../../../domain/second-factor-rules.ts';
import { cutAccess } from '../../../sessions/cut-access.ts';
import { describeDevice } from '../../../sessions/describe-device.ts';
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey as rename,
  type StoredPasskey,
} from '../../../store/passkey-repository.ts';
import {
  findSecondFactors,
  replaceRecoveryCodes,
} from '../../../store/second-factor-repository.ts';
import { endSessions } from '../../../store/session-repository.ts';
import { findUser } from '../../../store/user-repository.ts';
import { secondFactorChanged } from '../../check-second-factor.ts';
import { lockCaller } from '../../lock-caller.ts';
import { afterRemoval } from '../../remove-second-factor.ts';
import { promptTimeoutMs, toDescriptor } from '../passkey-options.ts';
import { algorithms, verifyNewPasskey } from '../verify-passkey.ts';

export const toApiPasskey = ({ id, name, createdAt, usedAt }: StoredPasskey) => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

/** The passkey must be able to log in alone: it stores the user's id, and verifies the user itself. */
const authenticatorSelection = { residentKey: 'required', userVerification: 'required' } as const;

export const startPasskey = ({ pool, relyingParty, passkeyChallenges }: Deps) =>
  handle(routes.startPasskey, async ({ user: caller, response }) => {
    const user = await findUser(pool, caller.userId);
    if (!user) throw userNotFound();
    const passkeys = await listPasskeys(pool, user.id);
    if (passkeys.length >= mostPasskeys) throw tooManyPasskeys(mostPasskeys);
    response.set('Cache-Control', 'no-store');
    const options = await generateRegistrationOptions({
      rpName: 'LendTools',
      rpID: relyingParty.id,
      userID: new TextEncoder().encode(user.id),
      userName: user.email,
      userDisplayName: `${user.firstName} ${user.lastName}`,
      challenge: await passkeyChallenges.issue({ purpose: 'add passkey', of: caller.sessionId }),
      timeout: promptTimeoutMs,
      excludeCredentials: passkeys.map(toDescriptor),
      authenticatorSelection: { ...authenticatorSelection },
      supportedAlgorithmIDs: algorithms,
    });
    // Drops what browsers assume by default.
    return newPasskeyOptions.parse(options);
  });

export const addPasskey = (deps: Deps) =>
  handle(routes.addPasskey, async ({ body, user: caller, request, response }) => {
    const attempt = await deps.limits.codeInSession(caller.sessionId);
    const use = { purpose: 'add passkey', of: caller.sessionId } as const;
    const { spend, ...verified } = await verifyNewPasskey(deps, { passkey: body.passkey, use });
    const name = body.name ?? describeDevice(request).name ?? 'Passkey';
    const added = await cutAccess(deps, async (tx, publish) => {
      const user = await lockCaller(tx, caller);
      await spend(tx);
      const before = await findSecondFactors(tx, user.id);
      if (before.passkeyCount >= mostPasskeys) throw tooManyPasskeys(mostPasskeys);
      const passkey = await insertPasskey(tx, { ...verified, userId: user.id, name });
      if (!passkey) throw passkeyExists();
      const isFirst = !before.totpSince && before.passkeyCount === 0;
      const recoveryCodes = isFirst ? await replaceRecoveryCodes(tx, user.id) : undefined;
      publish(await secondFactorChanged(tx, user, { change: 'passkey-added' }));
      // These sessions began with the password only, and would be an admin's from now on.
      if (isFirst && isAdminRole(user.role))
        publish(...(await endSessions(tx, { userId: user.id, except: caller.sessionId })));
      return { passkey, recoveryCodes };
    });
    await attempt.succeeded();
    response.set('Cache-Control', 'no-store');
    return {
      message: 'You can log in with this passkey from now on.',
      passkey: toApiPasskey(added.passkey),
      ...(added.recoveryCodes && { recoveryCodes: added.recoveryCodes }),
    };
  });

export const renamePasskey = ({ pool }: Deps) =>
  handle(routes.renamePasskey, async ({ params, body, user: caller }) => {
    const passkey = await inTransaction(pool, async (tx) => {
      const { id: userId } = await lockCaller(tx, caller);
      return rename(tx, { id: params.id, userId, name: body.name });
    });
    if (!passkey) throw passkeyNotFound();
    return { passkey: toApiPasskey(passkey) };
  });

export const removePasskey = (deps: Deps) =>
  handle(routes.removePasskey, async ({ params, user: caller }) => {
    await cutAccess(deps, async (tx, publish) => {
      const user = await lockCaller(tx, caller);
      if (!(await deletePasskey(tx, { id: params.id, userId: user.id }))) throw passkeyNotFound();
      publish(...(await afterRemoval(tx, user, { change: 'passkey-removed' })));
    });
    return { message: 'This passkey no longer works here.' };
  });
