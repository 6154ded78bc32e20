import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction, type Pool } from '@lendtools/service-kit';
import type { PasswordHasher } from '../../credentials/password-hasher.ts';
import { UsPlaces } from '../../domain/us-places.ts';
import { toProfile } from '../../domain/user.ts';
import { findPlace } from '../../places/find-place.ts';
import { insertCommand } from '../../store/audit-repository.ts';
import { dropFormerEmails } from '../../store/former-email-repository.ts';
import { dropMailedTokens } from '../../store/mailed-token-repository.ts';
import { endSessions } from '../../store/session-repository.ts';
import {
  cutEarlierTokens,
  findUserByEmail,
  insertUser,
  lockUser,
  passwordChanged,
  saveUser,
} from '../../store/user-repository.ts';

type AdminMade = 'created' | 'promoted' | 'already an admin';

/** Creates an admin. With `promote`, makes an existing account with this email an admin. */
export const makeAdmin = async (
  { pool, hasher }: { pool: Pool; hasher: PasswordHasher },
  { email, password, promote }: { email: string; password: string; promote: boolean },
): Promise<AdminMade | 'email taken'> => {
  const passwordHash = await hasher.hash(password);
  return inTransaction(pool, async (tx) => {
    const inserted = await insertUser(tx, {
      role: 'Admin',
      userName: 'admin',
      firstName: 'Admin',
      lastName: 'LendTools',
      email,
      phone: '+1 555 0100',
      passwordHash,
      address: 'LendTools',
      image: 'null',
      zip: '',
      placeAccuracy: 'city',
      ...findPlace(new UsPlaces(), { state: 'NY', city: 'New York City' }),
    });
    // The operator has checked the email, so mark it as verified.
    const emailVerifiedAt = new Date();
    if (inserted) {
      const created = await saveUser(tx, { ...inserted, emailVerifiedAt });
      await insertCommand(tx, 'makeAdmin', created.id);
      await addToOutbox(tx, newEvent('AccountRegistered', created, toProfile(created)));
      return 'created';
    }
    const found = await findUserByEmail(tx, email);
    const user = found && (await lockUser(tx, found.id));
    if (user?.role === 'Admin') return 'already an admin';
    if (!user || !promote) return 'email taken';
    const promoted = await saveUser(tx, { ...user, role: 'Admin', passwordHash, emailVerifiedAt });
    await insertCommand(tx, 'makeAdmin', promoted.id);
    await cutEarlierTokens(tx, promoted.id);
    // Invalidate emailed links: an impostor may have signed up with this email and requested one.
    await dropMailedTokens(tx, promoted.id);
    await dropFormerEmails(tx, promoted.id);
    await addToOutbox(
      tx,
      newEvent('RoleChanged', promoted, { userId: promoted.id, role: 'Admin' }),
      newEvent('AccountUpdated', promoted, toProfile(promoted)),
      passwordChanged(promoted),
      ...(await endSessions(tx, { userId: promoted.id })),
    );
    return 'promoted';
  });
};

export const hasAdmin = async (pool: Pool): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM users WHERE role = 'Admin' AND disabled_at IS NULL LIMIT 1`,
  );
  return rowCount === 1;
};
