import { type Body, isAdminRole, missingAddressPart, routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  checkRevision,
  handle,
  inTransaction,
  requireFreshLogin,
  spend,
  spendUploads,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { addressIncomplete, emailTaken, passwordWrong, userNotFound } from '../../domain/errors.ts';
import { toApiUser, toProfile, type User } from '../../domain/user.ts';
import { checkCurrentPassword } from '../../passwords/check-current-password.ts';
import { findPickUpPlace, findPlace } from '../../places/find-place.ts';
import { isReserved } from '../../store/former-email-repository.ts';
import { addMailedToken } from '../../store/mailed-token-repository.ts';
import { hasSecondFactor } from '../../store/second-factor-repository.ts';
import { findUser, findUserByEmail, lockUser, saveUser } from '../../store/user-repository.ts';

type AccountEdit = Body<typeof routes.updateAccount>;

/** Saves all fields or none. A new email needs the current password and takes effect once its link is followed. */
export const updateAccount = (deps: Deps) =>
  handle(routes.updateAccount, async ({ params, body, user: caller, images, request }) => {
    const before = await findUser(deps.pool, params.userId);
    if (!before) throw userNotFound();
    // Check the revision early too, so that a stale edit uses up no password guess and no upload quota.
    checkRevision(request, before.version, 'account');
    if (isAdminRole(before.role) && changesContact(body, before)) requireFreshLogin(caller);
    const newEmail = body.email !== undefined && body.email !== before.email ? body.email : null;
    if (newEmail && (await hasSecondFactor(deps.pool, before.id))) requireFreshLogin(caller);
    checkAddress(body, before);
    const changes = { ...toNames(body), ...changedPlace(deps, body, before) };
    if (newEmail) await allowNewEmail(deps, before, { ...body, newEmail, ip: request.ip ?? '' });
    const megabytesPerDay = deps.quotas.uploadMegabytesPerDay;
    await spendUploads(deps.pool, before.id, { images, megabytesPerDay });
    const image = images.image
      ? await deps.images.save('image', images.image, before.id)
      : undefined;

    const user = await inTransaction(deps.pool, async (tx) => {
      const locked = await lockUser(tx, before.id);
      if (!locked) throw userNotFound();
      checkRevision(request, locked.version, 'account');
      await spend(tx, locked.id, deps.quotas.edits);
      // The password that authorized the new email was changed in the meantime.
      if (newEmail && locked.passwordHash !== before.passwordHash) throw passwordWrong('password');
      const saved = await saveUser(tx, { ...locked, ...changes, ...(image && { image }) });
      await addToOutbox(tx, newEvent('AccountUpdated', saved, toProfile(saved)));
      if (newEmail) {
        const token = await addMailedToken(tx, 'email', { userId: saved.id, newEmail });
        const { id: userId, firstName, email: oldEmail } = saved;
        const oldEmailVerified = saved.emailVerifiedAt !== null;
        const data = { userId, firstName, oldEmail, oldEmailVerified, newEmail, token };
        await addToOutbox(tx, newEvent('EmailChangeRequested', saved, data));
      }
      return saved;
    });
    const hint = newEmail ? linkSentTo(newEmail) : body.password ? passwordNotChanged : '';
    return { message: `Your account is updated.${hint}`, user: toApiUser(user) };
  });

/** An admin's contact details could help a thief to take over the account. */
const changesContact = ({ email, phone, address }: AccountEdit, before: User): boolean =>
  [
    [email, before.email],
    [phone, before.phone],
    [address, before.address],
  ].some(([typed, stored]) => typed !== undefined && typed !== stored);

const linkSentTo = (newEmail: string): string =>
  ` To use ${newEmail}, follow the link that we sent there.`;

/** A hint for a user who types a password but no new email, and so may have meant to change the password. */
const passwordNotChanged =
  ' Your password was not: to change it, choose Reset Password, which asks for the current one and the new one.';

const toNames = (body: AccountEdit): Partial<User> => {
  const names = {
    userName: body.user_name,
    firstName: body.first_name,
    lastName: body.last_name,
    phone: body.phone,
    address: body.address,
  };
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
};

/** A user who signed up without an address adds all of it at once. */
const checkAddress = (body: AccountEdit, before: User): void => {
  const { state, city, address } = before;
  const part = missingAddressPart({ state, city, address, ...body });
  if (part) throw addressIncomplete(part);
};

/** A move to another city clears the pick-up place in the old one. */
const changedPlace = ({ places, zips }: Deps, body: AccountEdit, before: User): Partial<User> => {
  const { state = before.state, city = before.city, zip, lat } = body;
  const isSameCity = state === before.state && city === before.city;
  if (isSameCity && zip === undefined && lat === undefined) return {};
  const found = findPlace(places, { state, city });
  return { ...found, ...findPickUpPlace(zips, found, body) };
};

/** Limits changes of the email: they could flood a mailbox, or reveal by trial which emails have accounts. */
const allowNewEmail = async (
  deps: Deps,
  user: User,
  change: { newEmail: string; password?: string | undefined; ip: string },
): Promise<void> => {
  if (!change.password) {
    throw passwordWrong('password', 'Please enter your current password to change your email.');
  }
  await checkCurrentPassword(deps, user, { typed: change.password, path: 'password' });
  await deps.limits.mail(change.newEmail, change.ip);
  const isTaken =
    (await findUserByEmail(deps.pool, change.newEmail)) ||
    (await isReserved(deps.pool, change.newEmail, user.id));
  if (isTaken) throw emailTaken();
};
