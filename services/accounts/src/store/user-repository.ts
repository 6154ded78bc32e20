import type { Envelope, ListTotal } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { containing, countListed, type Db, type Transaction } from '@lendtools/service-kit';
import type { User } from '../domain/user.ts';

type NewUser = Omit<
  User,
  'id' | 'version' | 'disabledAt' | 'deletionDueAt' | 'deletedAt' | 'emailVerifiedAt' | 'createdAt'
>;

const written = [
  'role',
  'userName',
  'firstName',
  'lastName',
  'email',
  'phone',
  'passwordHash',
  'country',
  'state',
  'city',
  'address',
  'image',
  'lat',
  'lng',
  'timeZone',
  'zip',
  'placeAccuracy',
] as const satisfies (keyof NewUser)[];
const changed = [
  ...written,
  'disabledAt',
  'deletionDueAt',
  'deletedAt',
  'emailVerifiedAt',
] as const satisfies (keyof User)[];

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columns = ['id', 'version', ...changed, 'createdAt']
  .map((name) => `${snake(name)} AS "${name}"`)
  .join(', ');

const findOne = async (db: Db, where: string, value: string): Promise<User | undefined> => {
  const { rows } = await db.query<User>(`SELECT ${columns} FROM users WHERE ${where}`, [value]);
  return rows[0];
};

export const findUser = (db: Db, id: string) => findOne(db, 'id = $1', id);
export const findUserByEmail = (db: Db, email: string) => findOne(db, 'email = $1', email);

/**
 * Locks a user for a change. Until the commit, other transactions cannot change the user or start or renew a session.
 */
export const lockUser = (tx: Transaction, id: string) => findOne(tx, 'id = $1 FOR UPDATE', id);

/** Locks a user for a new or renewed session: role, password and state cannot change until the commit. */
export const shareLockUser = (tx: Transaction, id: string) => findOne(tx, 'id = $1 FOR SHARE', id);

/** Whether a user is deleted; undefined if there is none. If not, the user is not deleted before the commit. */
export const lockWhetherDeleted = async (
  tx: Transaction,
  id: string,
): Promise<boolean | undefined> => {
  const { rows } = await tx.query<{ isDeleted: boolean }>(
    'SELECT deleted_at IS NOT NULL AS "isDeleted" FROM users WHERE id = $1 FOR KEY SHARE',
    [id],
  );
  return rows[0]?.isDeleted;
};

/** @returns undefined when the email is taken. */
export const insertUser = async (tx: Transaction, user: NewUser): Promise<User | undefined> => {
  const { rows } = await tx.query<User>(
    `INSERT INTO users (${written.map(snake).join(', ')})
     VALUES (${written.map((_, i) => `$${i + 1}`).join(', ')})
     ON CONFLICT ON CONSTRAINT users_email_taken DO NOTHING RETURNING ${columns}`,
    written.map((name) => user[name]),
  );
  return rows[0];
};

/** Saves a locked user and increments the version. */
export const saveUser = async (tx: Transaction, user: User): Promise<User> => {
  const { rows } = await tx.query<User>(
    `UPDATE users SET version = version + 1,
       ${changed.map((name, i) => `${snake(name)} = $${i + 2}`).join(', ')}
     WHERE id = $1 RETURNING ${columns}`,
    [user.id, ...changed.map((name) => user[name])],
  );
  return rows[0] as User;
};

/** Invalidates access tokens that were issued for versions before the one just saved. */
export const cutEarlierTokens = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query(
    'UPDATE users SET access_cut_version = version, access_cut_at = now() WHERE id = $1',
    [userId],
  );
};

interface UserFilter {
  q: string | undefined;
  role: User['role'] | undefined;
  disabled: boolean | undefined;
  before: string | undefined;
  limit: number;
}

/** Lists users who are not deleted, newest first (ids are UUIDv7). `before` is the last id of the previous page; only the first page has a total. */
export const listUsers = async (
  db: Db,
  { q, role, disabled, before, limit }: UserFilter,
): Promise<{ users: User[] } & ListTotal> => {
  const pattern = containing(q);
  const matches = `($1::text IS NULL OR email ILIKE $1 OR user_name ILIKE $1
      OR first_name || ' ' || last_name ILIKE $1)
    AND ($2::text IS NULL OR role = $2)
    AND ($3::boolean IS NULL OR (disabled_at IS NOT NULL AND deletion_due_at IS NULL) = $3) AND deleted_at IS NULL`;
  const filters = [pattern, role ?? null, disabled ?? null];
  const isNarrowed = filters.some((value) => value !== null);
  const [page, count] = await Promise.all([
    db.query<User>(
      `SELECT ${columns} FROM users WHERE ${matches} AND ($4::uuid IS NULL OR id < $4)
       ORDER BY id DESC LIMIT $5`,
      [...filters, before ?? null, limit],
    ),
    before === undefined &&
      countListed(db, { rows: `FROM users WHERE ${matches}`, values: filters, isNarrowed }),
  ]);
  return { users: page.rows, ...count };
};

export const passwordChanged = (user: User): Envelope =>
  newEvent('PasswordChanged', user, {
    userId: user.id,
    email: user.email,
    firstName: user.firstName,
  });

/** Deletes a user's credentials, former emails and data exports. */
export const deleteCredentials = async (tx: Transaction, userId: string): Promise<void> => {
  for (const table of [
    'sessions',
    'mailed_tokens',
    'totp_factors',
    'passkeys',
    'recovery_codes',
    'former_emails',
    'data_exports',
  ])
    await tx.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
};

/** Serializes changes that could leave no admin, such as two admins who demote each other. */
export const lockAdmins = async (tx: Transaction): Promise<void> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('admins'))`);
};

export const countOtherAdmins = async (tx: Transaction, userId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    `SELECT count(*) FROM users WHERE role = 'Admin' AND disabled_at IS NULL AND id <> $1`,
    [userId],
  );
  return rows[0]?.count ?? 0;
};
