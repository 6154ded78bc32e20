import { randomUUID } from 'node:crypto';
import { type TurnOptions, Turns } from '@lendtools/service-kit';
import { hash, verify } from '@node-rs/argon2';

/** `Algorithm` is a const enum, which type stripping does not support. */
const argon2id = 2;
/** OWASP's minimum for argon2id: 11 ms and 19 MB per hash. */
const cost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * Two cores compute about 157 hashes a second, or ten when other processes keep them busy. More in parallel only take
 * memory.
 */
const limits = { atOnce: 2, mostWaiting: 64 };

/**
 * Calls of `hash` and `verify` wait in one queue, ordered by the rank in `options`; calls without a rank go first. When
 * the queue is full, they reject with 503.
 */
export interface PasswordHasher {
  hash(password: string, options?: TurnOptions): Promise<string>;
  /** Without a hash it takes the same time and returns false. */
  verify(
    passwordHash: string | undefined,
    password: string,
    options?: TurnOptions,
  ): Promise<boolean>;
}

export const createPasswordHasher = async (): Promise<PasswordHasher> => {
  const dummyHash = await hash(randomUUID(), cost);
  const turns = new Turns(limits);
  return {
    hash: (password, options) => turns.run(() => hash(password, cost), options),
    verify: (passwordHash, password, options) =>
      turns.run(async () => {
        const matches = await verify(passwordHash ?? dummyHash, password);
        return matches && passwordHash !== undefined;
      }, options),
  };
};
