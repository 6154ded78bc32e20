import { z } from 'zod';
import { role } from '../api/accounts.ts';
import { id, placeAccuracy } from '../api/common.ts';

const profile = z.object({
  userId: id,
  role,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  image: z.string(),
  country: z.string(),
  state: z.string(),
  city: z.string(),
  address: z.string(),
  /** Center of the city or of a half-mile square: precise enough to find a tool, too coarse to find a home. */
  lat: z.number(),
  lng: z.number(),
  /** `city` if absent. */
  placeAccuracy: placeAccuracy.optional(),
  timeZone: z.string(),
  /** The user followed a link that we sent to this email. Replicas from before email verification omit it. */
  emailVerified: z.boolean().optional(),
});

/** If `welcomeFollows` is set, the event `EmailVerificationRequested` follows and causes the welcome email. */
export const accountRegistered = profile.extend({ welcomeFollows: z.boolean().optional() });
export const accountUpdated = profile;
/** Also published when an account is re-enabled, with `disabled: false`. */
export const accountDisabled = z.object({ userId: id, disabled: z.boolean() });
export const roleChanged = z.object({ userId: id, role });
/** `accessUntil`: when the session's newest access token expires; replicas of the previous version omit it. */
export const sessionEnded = z.object({
  userId: id,
  sessionId: id,
  accessUntil: z.iso.datetime().optional(),
});
/** The token is used only in the emailed link; accounts stores its hash. */
export const passwordResetRequested = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  token: z.string(),
});
/** Changed with an emailed link, with the current password, or by the operator. */
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
export const emailChangeRequested = z.object({
  userId: id,
  firstName: z.string(),
  oldEmail: z.string(),
  /** Replicas of an earlier release omit it. */
  oldEmailVerified: z.boolean().optional(),
  newEmail: z.string(),
  token: z.string(),
});
