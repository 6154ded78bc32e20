import { z } from 'zod';
import { role } from '../api/accounts.ts';
import { id, placeAccuracy } from '../api/common.ts';

/** `role` is `User` or `Admin`, the roles that replicas of 1.0 read; `adminRole` is that of an admin with fewer rights. */
const roleFields = { role, adminRole: role.optional() };

const profile = z.object({
  userId: id,
  ...roleFields,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  image: z.string(),
  country: z.string(),
  state: z.string(),
  city: z.string(),
  address: z.string(),
  /** The center of the city or of a half-mile square: precise enough to find a tool, too coarse to find a home. */
  lat: z.number(),
  lng: z.number(),
  placeAccuracy,
  timeZone: z.string(),
  /** True if the user has followed a link sent to this email. */
  emailVerified: z.boolean(),
});

/** If `welcomeFollows` is set, the event `EmailVerificationRequested` follows and causes the welcome email. */
export const accountRegistered = profile.extend({ welcomeFollows: z.boolean().optional() });
export const accountUpdated = profile;
/**
 * An admin disabled the account, or the user requested its deletion. Also published when it is enabled again or kept, with
 * `disabled: false`.
 */
export const accountDisabled = z.object({ userId: id, disabled: z.boolean() });
/** A user requested the deletion of the account. With null it is not deleted: the user keeps it, or an admin disabled it. */
export const accountDeletionChanged = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  timeZone: z.string(),
  deletionDueAt: z.iso.datetime().nullable(),
  /** Whether an admin disabled the account. */
  disabled: z.boolean(),
});
/** `AccountUpdated` with the profile of a deleted user is published with it. */
export const accountDeleted = z.object({ userId: id });
/** The link leads to a page that needs a login: the email alone gives no access. */
export const dataExportReady = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  timeZone: z.string(),
  exportId: id,
  expiresAt: z.iso.datetime(),
});
/** A user blocked another one, or with `blocked: false` unblocked them. The version counts the changes of this pair. */
export const personBlocked = z.object({ blockerId: id, blockedId: id, blocked: z.boolean() });
export const roleChanged = z.object({ userId: id, ...roleFields });
/** `accessUntil` is when the session's newest access token expires. */
export const sessionEnded = z.object({
  userId: id,
  sessionId: id,
  accessUntil: z.iso.datetime(),
});
/** A login from a device and network that the user has not used before. Null means unknown. */
export const newDeviceLoggedIn = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  device: z.string().nullable(),
  place: z.string().nullable(),
  timeZone: z.string(),
});
export const secondFactorChange = z.enum([
  'added',
  'removed',
  'passkey-added',
  'passkey-removed',
  'removed-by-admin',
  'recovery-codes-renewed',
  'recovery-code-used',
]);
export type SecondFactorChange = z.infer<typeof secondFactorChange>;
export const secondFactorChanged = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  change: secondFactorChange,
  recoveryCodesLeft: z.number().int(),
  /** Why an admin removed all second factors. */
  reason: z.string().optional(),
});
/** An admin restored `email`, which the user had before `replacedEmail`. */
export const emailRestored = z.object({
  userId: id,
  firstName: z.string(),
  email: z.string(),
  replacedEmail: z.string(),
  reason: z.string(),
});
/** Only the emailed link contains the token; the accounts service stores its hash. */
export const passwordResetRequested = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  token: z.string(),
});
/** Users change their password with an emailed link or the current password. An operator may change it too. */
export const passwordChanged = z.object({ userId: id, email: z.string(), firstName: z.string() });
/** Requests an email with a verification link: the welcome email or a separate one. */
export const emailVerificationRequested = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  token: z.string(),
  isWelcome: z.boolean(),
});
/** The token undoes the change. Published only if the old address was verified, because the token grants access. */
export const emailChanged = z.object({
  userId: id,
  firstName: z.string(),
  oldEmail: z.string(),
  newEmail: z.string(),
  token: z.string(),
});
export const emailChangeRequested = z.object({
  userId: id,
  firstName: z.string(),
  oldEmail: z.string(),
  oldEmailVerified: z.boolean(),
  newEmail: z.string(),
  token: z.string(),
});
