import { randomUUID } from 'node:crypto';
import { type TurnOptions, Turns } from '@lendtools/service-kit';
import { hash, verify } from '@node-rs/argon2';

/** The value of `Algorithm.Argon2id`. Node's type stripping does not support that const enum. */
const argon2id = 2;
/** OWASP's minimum for argon2id: 11 ms and 19 MB per hash. */
const cost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Two idle cores compute about 157 hashes a second, busy ones only ten. More hashes in parallel only take more memory. */
const limits = { atOnce: 2, mostWaiting: 64 };

/** Calls for a hash wait in a queue, ordered by rank; calls without a rank go first. A full queue rejects with 503. */
export interface PasswordHasher {
  hash(password: string, options?: TurnOptions): Promise<string>;
  /** Without a hash, `verify` takes the same time and returns false, to hide that the account does not exist. */
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
