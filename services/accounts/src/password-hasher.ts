import { randomUUID } from 'node:crypto';
import { type TurnOptions, Turns } from '@lendtools/service-kit';
import { hash, verify } from '@node-rs/argon2';

/** `Algorithm` is a const enum, which type stripping can't read. */
const argon2id = 2;
/** OWASP's minimum for argon2id; 11 ms and 19 MB each. */
const cost = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Two cores do about 157 hashes a second, and ten when others keep them busy: more at once only take memory. */
const limits = { atOnce: 2, mostWaiting: 64 };

/** Both queue while others hash, by the rank in `options`; without one, first. They reject with 503 when too many wait. */
export interface PasswordHasher {
  hash(password: string, options?: TurnOptions): Promise<string>;
  /** Takes the same time where there is no account to compare with. */
  verify(
    passwordHash: string | undefined,
    password: string,
    options?: TurnOptions,
  ): Promise<boolean>;
}

export const createPasswordHasher = async (): Promise<PasswordHasher> => {
  const nobodysHash = await hash(randomUUID(), cost);
  const turns = new Turns(limits);
  return {
    hash: (password, options) => turns.run(() => hash(password, cost), options),
    verify: (passwordHash, password, options) =>
      turns.run(async () => {
        const matches = await verify(passwordHash ?? nobodysHash, password);
        return matches && passwordHash !== undefined;
      }, options),
  };
};
