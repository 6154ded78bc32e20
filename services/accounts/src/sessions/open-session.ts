import type { Envelope } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  accessTokenMinutes,
  loginTokenHours,
  spend,
  type Transaction,
} from '@lendtools/service-kit';
import type { Request, Response } from 'express';
import { recordLogin } from '../audit/record-login.ts';
import { keepAccount as keep } from '../deletion/keep-account.ts';
import type { Deps } from '../deps.ts';
import { isClosed, isDisabled } from '../domain/deletion.ts';
import { accountClosed, accountDisabled, loginFailed } from '../domain/errors.ts';
import type { User } from '../domain/user.ts';
import { challengeSecondFactor } from '../second-factors/challenge-second-factor.ts';
import {
  endSessions,
  endSessionsBeyond,
  findEarlierSessions,
  startSession,
} from '../store/session-repository.ts';
import { lockUser, shareLockUser } from '../store/user-repository.ts';
import { cutAccess } from './cut-access.ts';
import { type Device, describeDevice } from './describe-device.ts';
import { type Grant, grantAccess, isFromPage } from './grant-access.ts';

const dayMs = 86_400_000;

interface Login {
  /** The user whose password was checked. */
  found: User;
  returnRefreshToken?: boolean | undefined;
  /** Keeps an account whose deletion the user had requested. */
  keepAccount?: boolean | undefined;
  /** The session that a repeated login replaces: a thief of its tokens must not gain from the login. */
  replaces?: string;
  /** Checks the second factor in the session's transaction, and returns the events to publish. */
  prove?: (tx: Transaction, user: User) => Promise<Envelope[]>;
}

/** Starts a session after a successful login, and returns the reply to the login. */
export const openSession = async (
  deps: Deps,
  { request, response }: { request: Request; response: Response },
  { found, returnRefreshToken, keepAccount, replaces, prove }: Login,
) => {
  const { quotas, device: deviceCookie, logger } = deps;
  const inReply = returnRefreshToken === true;
  // A client that gets neither a cookie nor a refresh token cannot refresh, so its access token lives longer.
  const canRefresh = inReply || isFromPage(request);
  const tokenMinutes = canRefresh ? accessTokenMinutes : loginTokenHours * 60;
  const device = describeDevice(request);
  const isKnownDevice = replaces !== undefined || deviceCookie.isKnown(request, found.email);
  const grant = await cutAccess(deps, async (tx, publish): Promise<Grant> => {
    const lock = keepAccount ? lockUser : shareLockUser;
    const locked = await lock(tx, found.id);
    // The password was changed while the old one was being verified.
    if (locked?.passwordHash !== found.passwordHash) throw loginFailed();
    if (isDisabled(locked)) throw accountDisabled();
    if (prove) publish(...(await prove(tx, locked)));
    // The user may have added a second factor since the login began.
    else await challengeSecondFactor(deps, tx, locked);
    if (isClosed(locked) && !keepAccount) throw accountClosed(locked.deletionDueAt);
    const user = isClosed(locked) ? await keep(tx, locked, publish) : locked;
    await spend(tx, user.id, quotas.logins);
    if (!isKnownDevice && (await isNewDevice(tx, user, device)))
      publish(newDeviceLoggedIn(deps, user, device));
    if (replaces) publish(...(await endSessions(tx, { sessionId: replaces })));
    await recordLogin(deps, tx, { user, request, action: replaces ? 'confirmLogin' : 'logIn' });
    const session = await startSession(tx, { userId: user.id, device, tokenMinutes });
    publish(...(await endSessionsBeyond(tx, user.id, quotas.sessions)));
    return { user, ...session, tokenMinutes };
  });
  const { user, sessionId } = grant;
  logger.info({ userId: user.id, sessionId, withSecondFactor: prove !== undefined }, 'logged in');
  const reply = await grantAccess(deps, { request, response }, { grant, inReply });
  const keepsCookies = !inReply || isFromPage(request);
  if (keepsCookies) deviceCookie.remember(request, response, found.email);
  return reply;
};

/** The first login of a new account is no reason for a warning. */
const isNewDevice = async (tx: Transaction, user: User, device: Device): Promise<boolean> => {
  const earlier = await findEarlierSessions(tx, user.id, device);
  const isNewAccount = Date.now() - user.createdAt.getTime() < dayMs;
  return !earlier.onDevice && (earlier.onAny || !isNewAccount);
};

const newDeviceLoggedIn = ({ countryOf }: Deps, user: User, { name, network }: Device) =>
  newEvent('NewDeviceLoggedIn', user, {
    userId: user.id,
    email: user.email,
    firstName: user.firstName,
    device: name,
    place: countryOf(network),
    timeZone: user.timeZone,
  });
