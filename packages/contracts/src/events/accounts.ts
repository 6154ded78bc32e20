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
  /** Of the city, or of a square of half a mile: close enough to find a tool, too coarse to find a home. */
  lat: z.number(),
  lng: z.number(),
  /** `city` if absent. */
  placeAccuracy: placeAccuracy.optional(),
  timeZone: z.string(),
  /** They followed a link that we sent to this email. Missing from publishers of a release that did not ask. */
  emailVerified: z.boolean().optional(),
});

/** With `welcomeFollows`, `EmailVerificationRequested` has what the welcome email needs. */
export const accountRegistered = profile.extend({ welcomeFollows: z.boolean().optional() });
export const accountUpdated = profile;
/** Also published when an account is enabled again, with `disabled: false`. */
export const accountDisabled = z.object({ userId: id, disabled: z.boolean() });
export const roleChanged = z.object({ userId: id, role });
/** `accessUntil`: when the session's newest access token expires; replicas of the previous version omit it. */
export const sessionEnded = z.object({
  userId: id,
  sessionId: id,
  accessUntil: z.iso.datetime().optional(),
});
/** The token goes into the emailed link and nowhere else; accounts keeps its hash. */
export const passwordResetRequested = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  token: z.string(),
});
/** With a mailed link, with the current password, or by the operator. */
export const passwordChanged = z.object({ userId: id, email: z.string(), firstName: z.string() });
/** A link that shows that the email is theirs; in the welcome email, or in one of its own. */
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
  /** Missing from publishers of an earlier release. */
  oldEmailVerified: z.boolean().optional(),
  newEmail: z.string(),
  token: z.string(),
});
