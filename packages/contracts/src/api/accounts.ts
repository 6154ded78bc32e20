import { z } from 'zod';
import { longestAdminReason } from '../admin-reason.ts';
import { roles } from '../permissions.ts';
import { phoneError, phonePattern, withoutDirectionMarks } from '../phone.ts';
import {
  bothDegrees,
  bounded,
  email,
  fields,
  id,
  ignoredId,
  imagePath,
  listTotal,
  longText,
  newEmail,
  nextCursor,
  page,
  placeAccuracy,
  point,
  revision,
  text,
  wholeNumber,
  words,
  yesOrNo,
  zip,
  zipOrNone,
} from './common.ts';
import { passkey, passkeyAnswer } from './passkeys.ts';

export const role = z.enum(roles, 'A role is User, Support, Finance or Admin');

/** The accounts service also rejects passwords that are common or easy to guess. */
export const newPassword = z
  .string('Please choose a password')
  .min(8, 'Please choose a password of at least 8 characters')
  .max(256, 'Please keep your password to 256 characters');

/** A password as typed at login. It has no minimum length, so that a password from before the current rules still works. */
export const password = bounded(256, 'Please enter your password').min(
  1,
  'Please enter your password',
);

/** Names appear in emails to unconfirmed addresses, so they must not contain advertising links. */
const personName = (label: string) =>
  text(label, 60).refine((name) => !/:\/\/|www\./i.test(name), {
    message: `Please enter ${label} without a web address`,
  });

/** State, city and address are given together or not at all. Only listing a tool requires them. */
const address = {
  state: text('your state', 60),
  city: text('your city', 90),
  address: longText('your address', 200),
};

const profile = {
  user_name: personName('a user name'),
  first_name: personName('your first name'),
  last_name: personName('your last name'),
  /** Stored as typed, because clients show the number that they sent. */
  phone: bounded(60, 'Please enter your phone number')
    .overwrite(withoutDirectionMarks)
    .trim()
    .regex(phonePattern, phoneError),
  email: newEmail,
  country: text('your country', 60).default('United States'),
};

type AddressPart = keyof typeof address;
type TypedPlace = { [part in AddressPart | 'zip']?: string | undefined } & {
  lat?: number | undefined;
};

/** The first missing part of an address, if another part or a pick-up place is given. */
export const missingAddressPart = (typed: TypedPlace): AddressPart | undefined => {
  const isGiven =
    typed.state || typed.city || typed.address || typed.zip || typed.lat !== undefined;
  return isGiven ? (['state', 'city', 'address'] as const).find((part) => !typed[part]) : undefined;
};

export const createAccountBody = fields({
  ...profile,
  ...z.object(address).partial().shape,
  /** The ZIP code of the pick-up place, which is more precise than the city. */
  zip: zipOrNone.optional(),
  password: newPassword,
}).superRefine((typed, context) => {
  const part = missingAddressPart(typed);
  if (part)
    context.addIssue({ code: 'custom', path: [part], message: `Please enter your ${part}` });
});

/**
 * `password` is the current one, required to change the email. `userId` is documented and ignored. The pick-up place is
 * `zip`, or `lat` and `lng`, which are rounded to about half a mile before they are stored. An empty `zip` removes the place.
 */
export const updateAccountBody = fields({
  ...z.object({ ...profile, ...address }).partial().shape,
  zip: zipOrNone.optional(),
  ...z.object(point).partial().shape,
  country: bounded(60, 'Please enter your country').optional(),
  password: bounded(256, 'Please enter your current password').optional(),
}).refine(({ lat, lng }) => (lat === undefined) === (lng === undefined), bothDegrees('lat'));

/** Clients without cookies may ask for the refresh token in the reply. Browser pages always get a cookie instead. */
const returnRefreshToken = z
  .boolean('Please say true to get the refresh token in the reply')
  .optional()
  .meta({
    description:
      'true: the reply has `refreshToken` instead of a cookie. For clients without cookies; browser pages always get the cookie.',
  });
/** The answer to the error `ACCOUNT_CLOSED`. */
const keepAccount = z.boolean('Please say true to keep the account').optional().meta({
  description: 'true: the account is not deleted after all, if its deletion was requested.',
});
export const loginBody = fields({ email, password, returnRefreshToken, keepAccount });
export const emailBody = fields({ email });
/** Why an admin helps a person who has lost access. The person gets it by email. */
const adminReason = longText('a reason', longestAdminReason);
export const restoreEmailBody = fields({ email, reason: adminReason });
export const removeSecondFactorsBody = fields({ reason: adminReason });

/** Requires an emailed `token`, or `currentPassword` from a signed-in caller. */
export const resetPasswordBody = fields({
  token: bounded(200, 'This link is incomplete').optional(),
  newPassword,
  userId: ignoredId,
  currentPassword: bounded(256, 'Please enter your current password').optional(),
});

export const confirmEmailBody = fields({
  token: bounded(200, 'This link is incomplete').min(1, 'This link is incomplete'),
});
export const undoEmailChangeBody = confirmEmailBody;
/** Verified addresses that the user replaced in the last 90 days, the newest change first. */
export const formerEmailsReply = z.object({
  formerEmails: z.array(z.object({ email: z.string(), changedAt: z.iso.datetime() })),
});
const refreshToken = bounded(500, 'This is not a refresh token');
export const logoutBody = fields({ refreshToken: refreshToken.optional() });
/** A client without cookies sends its refresh token in the body, and gets the next one in the reply. */
export const refreshTokenBody = logoutBody;
/** Six digits from an authenticator app, or a recovery code. Spaces and hyphens don't matter. */
const secondFactorCode = bounded(40, 'Please enter the code')
  .overwrite((typed) => typed.replace(/[\s-]/g, '').toUpperCase())
  .regex(
    /^([0-9]{6}|[A-Z2-7]{28})$/,
    'A code has six digits; a recovery code has 28 letters and digits',
  );

/** The challenge is in the reply of the login, with the error `SECOND_FACTOR_REQUIRED`. Requires a code or a passkey. */
export const secondFactorLoginBody = fields({
  challenge: bounded(300, 'Please log in again').min(1, 'Please log in again'),
  code: secondFactorCode.optional(),
  passkey: passkeyAnswer.optional(),
  returnRefreshToken,
  keepAccount,
}).refine(({ code, passkey }) => code !== undefined || passkey !== undefined, {
  path: ['code'],
  error: 'Please enter the code',
});
export const confirmTotpBody = fields({ code: secondFactorCode });
export const passkeyLoginBody = fields({ passkey: passkeyAnswer, returnRefreshToken, keepAccount });

/** What a user can log in with besides the password, or in place of it. Null or 0 means none. */
export const secondFactorsReply = z.object({
  totpSince: z.iso.datetime().nullable(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.number().int(),
  /** True for admins, if this site requires a second factor of them. */
  isRequired: z.boolean(),
});
/** The secret of a new authenticator app, as text and as the address that its QR code contains. */
export const startTotpReply = z.object({ secret: z.string(), uri: z.string() });
/** Shown once; the server stores only hashes. */
export const recoveryCodesReply = z.object({
  message: z.string(),
  recoveryCodes: z.array(z.string()),
});

/** Requires a passkey or the password, with a `code` if the user has a second factor. */
export const reauthenticateBody = fields({
  password: password.optional(),
  code: secondFactorCode.optional(),
  passkey: passkeyAnswer.optional(),
  returnRefreshToken,
}).refine(({ password, passkey }) => password !== undefined || passkey !== undefined, {
  path: ['password'],
  error: 'Please enter your password',
});

const session = z.object({
  id,
  /** Browser and system, such as `Chrome on Windows`; null if unknown. */
  device: z.string().nullable(),
  /** The country of the network; null if unknown. */
  place: z.string().nullable(),
  /** The last network, of 256 or more addresses; null if unknown. */
  network: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** The last login or renewal of the access token, which a browser in use renews every 15 minutes. */
  usedAt: z.iso.datetime(),
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;
export const sessionsReply = z.object({ sessions: z.array(session) });

export const mostBlocks = 500;
const blockedPerson = z.object({
  id,
  first_name: z.string(),
  /** Only the initial: they may be strangers. */
  last_name: z.string(),
  image: z.string(),
  blockedAt: z.iso.datetime(),
});
export type BlockedPerson = z.infer<typeof blockedPerson>;
export const blockedPeopleReply = z.object({ people: z.array(blockedPerson) });

/** Until then, the user can keep the account by logging in. */
export const requestDeletionReply = z.object({
  message: z.string(),
  deletionDueAt: z.iso.datetime(),
});

/** A ZIP file of JSON files and pictures. */
export const zipFile = z.string().meta({ format: 'binary', description: 'A ZIP file' });

export const setUserBody = fields({
  role: role.optional(),
  disabled: z.boolean('An account is disabled or not: true or false').optional(),
});

/** Users see their own account; admins may see any. `state`, `city` and `address` are empty if the user gave no address. */
export const user = z.object({
  id,
  role,
  user_name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  state: z.string(),
  city: z.string(),
  address: z.string(),
  image: imagePath,
  /** ZIP code of the pick-up place; empty if there is none. */
  zip: z.string(),
  placeAccuracy,
  /** True if the user has followed a link sent to this email. */
  emailVerified: z.boolean(),
  disabled: z.boolean(),
  /** When the account is deleted at the user's request. Absent if it is not. */
  deletionDueAt: z.iso.datetime().optional(),
  revision,
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof user>;

export const createAccountReply = z.object({ message: z.string(), user });
/**
 * `token` is the access token for the Bearer header. The refresh token is in a cookie, unless `returnRefreshToken` was
 * set.
 */
export const loginReply = z.object({
  user: user.extend({ token: z.string() }),
  token: z.string(),
  refreshToken: z.string().optional(),
  /** True if this admin has to set up a second factor first. Until then the token is that of a member. */
  secondFactorNeeded: z.boolean().optional(),
});
export const userReply = z.object({ user });
export const updateAccountReply = z.object({ message: z.string(), user });
export const usersQuery = fields({
  ...page,
  q: words.optional(),
  role: role.optional(),
  disabled: yesOrNo('An account is disabled or not: true or false').optional(),
});
export const usersReply = z.object({ users: z.array(user), ...listTotal, nextCursor });

export const state = z.object({ code: z.string(), name: z.string() });
export const statesReply = z.object({ states: z.array(state) });
export const citiesReply = z.object({ cities: z.array(z.object({ name: z.string() })) });
export const stateParams = fields({
  code: bounded(2, 'Unknown state').regex(/^[A-Za-z]{2}$/, 'Unknown state'),
});
export const zipParams = fields({ zip });
/** `lat` and `lng` are the approximate center of the ZIP code's area, rounded to half a mile. */
export const zipReply = z.object({
  zip: z.string(),
  lat: z.number(),
  lng: z.number(),
  city: z.string(),
  state: z.string(),
});
export const emailParams = fields({ email });

/** Counts per day, oldest first; days are UTC. */
export const perDay = z.array(z.object({ day: z.iso.date(), count: z.number().int() }));
export const daysQuery = fields({
  days: wholeNumber(1, 366, 'Please ask for 1 to 366 days').default(30),
});
export const accountStatsReply = z.object({ total: z.number().int(), signUps: perDay });
