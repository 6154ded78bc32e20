import { mostBlocks, mostMilesFromCity, type PasskeyOptions } from '@lendtools/contracts';
import { AppError, notFound } from '@lendtools/service-kit';
import type { PasswordProblem } from './password-rules.ts';
import type { SecondFactor } from './second-factor-rules.ts';

export const emailTaken = () =>
  new AppError('EMAIL_TAKEN', 'There is already an account with this email.', {
    path: 'email',
  });

export const passwordRejected = ({ code, message }: PasswordProblem, path: string) =>
  new AppError(code, message, { path });

export const stateUnknown = () =>
  new AppError('STATE_UNKNOWN', 'There is no US state with this code.', { path: 'code' });

export const placeUnknown = (path: 'state' | 'city', typed: string, state = '') =>
  new AppError(
    'PLACE_UNKNOWN',
    path === 'state'
      ? `We don't know a US state called "${typed}". Please choose one from the list.`
      : `We don't know a city called "${typed}" in ${state}. Please choose the nearest from the list.`,
    { path },
  );

export const addressIncomplete = (path: string) =>
  new AppError('VALIDATION_FAILED', `Please enter your ${path}`, { path });

export const zipUnknown = (zip: string) =>
  new AppError('ZIP_UNKNOWN', `We don't know the ZIP code ${zip}. Please check it.`, {
    path: 'zip',
  });

export const placeTooFar = (city: string, path: 'zip' | 'lat') =>
  new AppError(
    'PLACE_TOO_FAR',
    `This place is more than ${mostMilesFromCity} miles from ${city}. Please check it, or choose another city.`,
    { path },
  );

/** The message does not reveal whether the email or the password is wrong. */
export const loginFailed = () =>
  new AppError('LOGIN_FAILED', 'The email or the password is wrong.', { path: 'email' });

export const accountDisabled = () =>
  new AppError('ACCOUNT_DISABLED', 'This account is disabled. Please contact support.');

export const administratorsOnly = () =>
  new AppError('FORBIDDEN', 'Only an administrator changes roles, and accounts of admins.');

/** The login was right. Sent again with `keepAccount`, it keeps the account. */
export const accountClosed = (deletionDueAt: Date) =>
  new AppError(
    'ACCOUNT_CLOSED',
    'You requested the deletion of this account. You can still keep it.',
    { details: { deletionDueAt: deletionDueAt.toISOString() } },
  );

/** @param reasons what is open, by its kind */
export const accountHasOpenMatters = (reasons: { path: string; msg: string }[]) =>
  new AppError(
    'ACCOUNT_HAS_OPEN_MATTERS',
    'Your account cannot be deleted while bookings, payments or problems are open.',
    { errors: reasons },
  );

export const dataExportNotFound = () =>
  notFound(
    'DATA_EXPORT_NOT_FOUND',
    'This file is no longer available. You can request a new one in Settings.',
  );

/** The password was right. `challenge` is needed to finish the login, and `passkey` to finish it with a passkey. */
export const secondFactorRequired = (details: {
  factors: SecondFactor[];
  challenge?: string;
  passkey?: PasskeyOptions;
}) =>
  new AppError(
    'SECOND_FACTOR_REQUIRED',
    details.factors.includes('totp')
      ? 'Please enter the code from your authenticator app, or a recovery code.'
      : 'Please use your passkey, or enter a recovery code.',
    { path: 'code', details },
  );

export const secondFactorWrong = () =>
  new AppError('SECOND_FACTOR_WRONG', 'This code is wrong or was already used.', { path: 'code' });

export const secondFactorExists = () =>
  new AppError('SECOND_FACTOR_EXISTS', 'You have set up an authenticator app already.');

export const secondFactorNotFound = (message = 'You have not set up an authenticator app.') =>
  notFound('SECOND_FACTOR_NOT_FOUND', message);

export const factorOfAdmin = () =>
  new AppError(
    'FACTOR_OF_ADMIN',
    'The second factor of an admin can only be removed on the server: npm run second-factor:remove',
  );

export const passkeyRejected = (message = 'This passkey was not accepted. Please try again.') =>
  new AppError('PASSKEY_REJECTED', message);

export const passkeyCopied = () =>
  passkeyRejected(
    'This passkey may have been copied, so it no longer works here. Please log in another way, and replace it in Settings.',
  );

export const passkeyNeedsPassword = () =>
  passkeyRejected(
    'Your password was reset. Please log in with the new password once, and then use this passkey.',
  );

export const passkeyExists = () =>
  new AppError('PASSKEY_EXISTS', 'This passkey has been added already.');

export const passkeyNotFound = () => notFound('PASSKEY_NOT_FOUND', 'There is no such passkey.');

export const tooManyPasskeys = (most: number) =>
  new AppError(
    'TOO_MANY_PASSKEYS',
    `You have ${most} passkeys already. Please remove one that you no longer use.`,
  );

export const loginChallengeInvalid = () =>
  new AppError('LOGIN_CHALLENGE_INVALID', 'This login is no longer valid. Please log in again.');

export const sessionEnded = () =>
  new AppError('SESSION_ENDED', 'Your session has ended. Please log in again.');

export const sessionNotFound = () =>
  notFound('SESSION_NOT_FOUND', 'This device is logged out already.');

export const crossSite = () => new AppError('CROSS_SITE', 'This can only be done on our own site.');

export const passwordWrong = (path: string, message = 'The current password is wrong.') =>
  new AppError('PASSWORD_WRONG', message, {
    errors: [{ msg: 'The current password is wrong.', path }],
  });

/** The API documentation prescribes this message. The reason is in the field `errors`. */
export const resetFailed = 'Error resetting password';

export const resetTokenInvalid = () =>
  new AppError('RESET_TOKEN_INVALID', resetFailed, {
    errors: [
      {
        msg: 'This link has already been used or has expired. Please ask for a new one.',
        path: 'token',
      },
    ],
  });

export const emailTokenInvalid = () =>
  new AppError(
    'EMAIL_TOKEN_INVALID',
    'This link has already been used or has expired. You can ask for a new one in Settings.',
    { path: 'token' },
  );

export const formerEmailNotFound = () =>
  notFound(
    'FORMER_EMAIL_NOT_FOUND',
    'This user did not have this email, or replaced it more than 90 days ago.',
  );

export const userNotFound = () => notFound('USER_NOT_FOUND', 'There is no such user.');

export const blockIsYourself = () =>
  new AppError('BLOCK_IS_YOURSELF', 'You cannot block yourself.');

export const tooManyBlocks = () =>
  new AppError(
    'TOO_MANY_BLOCKS',
    `You can block at most ${mostBlocks} people. Please unblock somebody first.`,
  );

export const reportNotFound = () => notFound('REPORT_NOT_FOUND', 'There is no such report.');

export const appealLinkInvalid = () =>
  new AppError(
    'APPEAL_LINK_INVALID',
    'This link was already used, is older than six months, or a newer decision has replaced it.',
    { path: 'token' },
  );

export const personNotHidden = () =>
  new AppError('VALIDATION_FAILED', 'A person cannot be hidden. You can warn or disable them.', {
    path: 'decision',
  });

export const reportIsYours = () =>
  new AppError('REPORT_IS_YOURS', 'You cannot report yourself or what you published.');

export const lastAdmin = () =>
  new AppError(
    'USER_LAST_ADMIN',
    'This is the last admin. Please make somebody else an admin first.',
  );
