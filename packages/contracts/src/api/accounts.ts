import { z } from 'zod';
import {
  email,
  id,
  imagePath,
  longText,
  nextCursor,
  numeric,
  page,
  text,
  words,
} from './common.ts';

export const role = z.enum(['User', 'Admin']);

/** At least 8 characters and at most 256, no composition rules; the commonest ones are refused by accounts. */
export const newPassword = z
  .string('Please choose a password')
  .min(8, 'Please choose a password of at least 8 characters')
  .max(256, 'Please keep your password to 256 characters');

/** A password as typed at login: whatever was once accepted must be askable. */
export const password = z.string('Please enter your password').min(1).max(256);

/** Stands in the mails to an address that nobody has confirmed, so it must not be an advertisement. */
const personName = (label: string) =>
  text(label, 60).refine((name) => !/:\/\/|www\./i.test(name), {
    message: `Please enter ${label} without a web address`,
  });

const profile = {
  user_name: personName('a user name'),
  first_name: personName('your first name'),
  last_name: personName('your last name'),
  phone: z
    .string('Please enter your phone number')
    .trim()
    .regex(/^[+\d][\d ().-]{5,24}$/, 'Please enter a valid phone number'),
  email,
  country: text('your country', 60).default('United States'),
  state: text('your state', 60),
  city: text('your city', 90),
  address: longText('your address', 200),
};

export const createAccountBody = z.object({ ...profile, password: newPassword });

/** `password` is the current one and needed to change the e-mail; `userId` is documented and ignored. */
export const updateAccountBody = z.object({
  ...z.object(profile).partial().shape,
  country: z.string().optional(),
  password: z.string().max(256).optional(),
});

export const loginBody = z.object({ email, password });
export const emailBody = z.object({ email });

/** By mailed `token`, or signed in with `currentPassword`. */
export const resetPasswordBody = z.object({
  token: z.string().max(200).optional(),
  newPassword,
  userId: z.string().optional(),
  currentPassword: z.string().max(256).optional(),
});

export const confirmEmailBody = z.object({ token: z.string().min(1).max(200) });
export const logoutBody = z.object({ refreshToken: z.string().max(500).optional() });
export const setUserBody = z.object({ role: role.optional(), disabled: z.boolean().optional() });

/** One's own account, or any for an admin. */
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
  disabled: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof user>;

export const createAccountReply = z.object({ message: z.string(), user });
/** `token` is the access token for the Bearer header; the refresh token is a cookie. */
export const loginReply = z.object({ user: user.extend({ token: z.string() }), token: z.string() });
export const userReply = z.object({ user });
export const updateAccountReply = z.object({ message: z.string(), user });
export const usersQuery = z.object({ ...page, q: words.optional() });
export const usersReply = z.object({ users: z.array(user), total: z.number().int(), nextCursor });

export const state = z.object({ code: z.string(), name: z.string() });
export const statesReply = z.object({ states: z.array(state) });
export const citiesReply = z.object({ cities: z.array(z.object({ name: z.string() })) });
export const stateParams = z.object({ code: z.string().regex(/^[A-Za-z]{2}$/, 'Unknown state') });
export const emailParams = z.object({ email });

/** Counts per day, oldest first; days are UTC. */
export const perDay = z.array(z.object({ day: z.iso.date(), count: z.number().int() }));
export const daysQuery = z.object({ days: numeric(z.number().int().min(1).max(366)).default(30) });
export const accountStatsReply = z.object({ total: z.number().int(), signUps: perDay });
