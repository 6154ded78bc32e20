import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newPerson, type Person } from '../src/people.ts';
import {
  describe,
  networkAddress,
  observe,
  type Reply,
  requestFrom,
  statusesOf,
} from './request-from.ts';

const networks = 1_400;
const forMs = 60_000;
const retryAfterMs = 5_000;

const logIn = (
  from: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
  cookie = '',
): Promise<Reply> =>
  requestFrom(from, {
    method: 'POST',
    path: '/api/login',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify({ email, password }),
  });

const cookieHeader = ({ cookies }: Reply): string =>
  cookies.map((cookie) => cookie.split(';')[0]).join('; ');

/** Guesses passwords from 1,400 networks while two users log in, one of them on a known device. */
export const attackByPasswords = async (): Promise<boolean> => {
  const [regular, newcomer] = [await newPerson(), await newPerson()];
  const cookie = cookieHeader(await logIn('127.0.0.9', regular));

  const over = AbortSignal.timeout(forMs);
  const guesses: Reply[] = [];
  const guess = async (i: number) => {
    while (!over.aborted) {
      const email = `${randomUUID()}@lendtools.test`;
      guesses.push(await logIn(networkAddress(i), { email, password: 'a wild guess' }));
    }
  };
  const guessing = Array.from({ length: networks }, (_, i) => guess(i));
  await delay(5_000);
  const [known, unknown] = await Promise.all([
    observe(() => logIn('127.0.0.9', regular, cookie), { over, expected: 200 }),
    observe(() => logIn('127.0.0.8', newcomer), { over, expected: 200, pauseMs: retryAfterMs }),
  ]);
  await Promise.all(guessing);

  console.log(`passwords: ${networks} networks`);
  console.log(`  guesses in ${forMs / 1_000} s: ${statusesOf(guesses)}`);
  console.log(describe('logins on a known device', known));
  console.log(describe('logins on an unknown device', unknown));
  return known.failed === 0;
};
