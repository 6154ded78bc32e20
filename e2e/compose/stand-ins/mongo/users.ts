import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface Role {
  role: string;
  db: string;
}
export interface User {
  user: string;
  db: string;
  roles: Role[];
  /** SCRAM-SHA-256 credentials (RFC 7677) in base64. */
  salt: string;
  storedKey: string;
  serverKey: string;
}

const iterations = 15_000;
const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
const hmac = (key: Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

const credentials = (password: string): Pick<User, 'salt' | 'storedKey' | 'serverKey'> => {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  return {
    salt: salt.toString('base64'),
    storedKey: sha256(hmac(salted, 'Client Key')).toString('base64'),
    serverKey: hmac(salted, 'Server Key').toString('base64'),
  };
};

export class Users {
  readonly #file: string;
  #all: User[];

  constructor(file: string) {
    this.#file = file;
    this.#all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  }

  isEmpty(): boolean {
    return this.#all.length === 0;
  }

  of(db: string): User[] {
    return this.#all.filter((each) => each.db === db);
  }

  find(db: string, user: string): User | undefined {
    return this.of(db).find((each) => each.user === user);
  }

  create(db: string, user: string, password: string, roles: Role[]): void {
    this.#keep([...this.#all, { user, db, roles, ...credentials(password) }]);
  }

  update(db: string, user: string, change: { password?: string; roles?: Role[] }): void {
    const { password, roles } = change;
    this.#keep(
      this.#all.map((each) =>
        each.db === db && each.user === user
          ? { ...each, ...(password && credentials(password)), ...(roles && { roles }) }
          : each,
      ),
    );
  }

  drop(db: string, user: string): void {
    this.#keep(this.#all.filter((each) => each.db !== db || each.user !== user));
  }

  #keep(all: User[]): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(all), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
    this.#all = all;
  }
}

export interface Answer {
  payload: string;
  done: boolean;
  user?: User;
}

export class Login {
  readonly #user: User;
  readonly #nonce: string;
  readonly #messages: string;
  readonly #mayEndEarly: boolean;
  #isProven = false;

  private constructor(user: User, clientFirst: string, mayEndEarly: boolean) {
    const [, clientNonce = ''] = /,r=(.*)$/.exec(clientFirst) ?? [];
    this.#user = user;
    this.#nonce = clientNonce + randomBytes(24).toString('base64');
    this.#messages = `${clientFirst},${this.challenge()}`;
    this.#mayEndEarly = mayEndEarly;
  }

  static begin(
    users: Users,
    { db, payload, mayEndEarly }: { db: string; payload: string; mayEndEarly: boolean },
  ): Login | undefined {
    const clientFirst = payload.replace(/^n,,/, '');
    const [, name = ''] = /^n=([^,]*),/.exec(clientFirst) ?? [];
    const user = users.find(db, name.replaceAll('=2C', ',').replaceAll('=3D', '='));
    return user && new Login(user, clientFirst, mayEndEarly);
  }

  challenge(): string {
    return `r=${this.#nonce},s=${this.#user.salt},i=${iterations}`;
  }

  goOn(payload: string): Answer | undefined {
    if (this.#isProven) return { payload: '', done: true, user: this.#user };
    const [, withoutProof = '', proof = ''] = /^(.*),p=([^,]*)$/.exec(payload) ?? [];
    const stored = base64(this.#user.storedKey);
    const messages = `${this.#messages},${withoutProof}`;
    const signature = hmac(stored, messages);
    const sent = base64(proof);
    if (sent.length !== signature.length || !withoutProof.endsWith(`r=${this.#nonce}`)) return;
    const clientKey = Buffer.from(signature.map((byte, i) => byte ^ (sent[i] as number)));
    if (!timingSafeEqual(sha256(clientKey), stored)) return;
    this.#isProven = true;
    const verifier = hmac(base64(this.#user.serverKey), messages).toString('base64');
    return {
      payload: `v=${verifier}`,
      done: this.#mayEndEarly,
      user: this.#mayEndEarly ? this.#user : undefined,
    };
  }
}
