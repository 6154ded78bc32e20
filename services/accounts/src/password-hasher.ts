import { randomUUID } from 'node:crypto';
import { unavailable } from '@lendtools/service-kit';
import { hash, verify } from '@node-rs/argon2';

/** `Algorithm` is a const enum, which type stripping can't read. */
const argon2id = 2;
/** OWASP's least for argon2id; 11 ms and 19 MB each. */
const cost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Two cores do about 157 hashes a second: more at once only take memory and hold up everybody else. */
const atOnce = 2;
/** Some three seconds' worth; whoever comes then is better told to try again. */
const longestQueue = 500;

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes the same time where there is no account to compare with. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

export const createPasswordHasher = async (): Promise<PasswordHasher> => {
  const nobodysHash = await hash(randomUUID(), cost);
  const waiting: (() => void)[] = [];
  let running = 0;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= longestQueue) throw unavailable();
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The turn is handed on, so that nobody who comes now overtakes who waits.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    verify: (passwordHash, password) =>
      inTurn(async () => {
        const matches = await verify(passwordHash ?? nobodysHash, password);
        return matches && passwordHash !== undefined;
      }),
  };
};
