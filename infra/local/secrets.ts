import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets are generated on first use and stored in `secrets.json` (mode 0600). */
export class Secrets {
  readonly #file: string;
  readonly #byName: Record<string, string>;

  constructor(home: string) {
    this.#file = join(home, 'secrets.json');
    this.#byName = existsSync(this.#file) ? JSON.parse(readFileSync(this.#file, 'utf8')) : {};
  }

  /** The default secret has only letters and digits, so that it needs no escaping in URLs and configuration files. */
  get(name: string, make: () => string = randomPassword): string {
    const known = this.#byName[name];
    if (known !== undefined) return known;
    const value = make();
    this.#byName[name] = value;
    this.#save();
    return value;
  }

  /** The Ed25519 key that signs access tokens, as a JWK in JSON. */
  jwtPrivateKey(): string {
    return this.get('jwtPrivateKey', () =>
      JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
    );
  }

  /** Writes a new file and renames it: a kill during the write must not lose the databases' passwords. */
  #save(): void {
    const draft = `${this.#file}.new`;
    writeFileSync(draft, JSON.stringify(this.#byName, null, 2), { mode: 0o600 });
    renameSync(draft, this.#file);
  }
}

function randomPassword(): string {
  return randomBytes(18).toString('hex');
}

/** Returns four short groups, which are easy to read and to type on a phone. */
export function readablePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters = [...randomBytes(16)].map((byte) => alphabet[byte % alphabet.length]);
  return (letters.join('').match(/.{4}/g) ?? []).join('-');
}
