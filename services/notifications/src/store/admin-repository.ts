import { type Permission, type Role, rolesWith } from '@lendtools/contracts';
import { keepNewest } from '@lendtools/event-bus';
import { isDuplicateKey } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

interface StoredRole {
  _id: string;
  role: Role;
  version: number;
  disabled: boolean;
  disabledVersion: number;
}

export type AdminRepository = ReturnType<typeof createAdminRepository>;

/** Stores every user's role, not only admins': an admin may be demoted, and a late event must not undo that. */
export const createAdminRepository = (connection: Connection) => {
  const schema = new Schema<StoredRole>(
    { _id: String, role: String, version: Number, disabled: Boolean, disabledVersion: Number },
    { versionKey: false, id: false },
  );
  const model = connection.model('Role', schema, 'roles');

  return {
    saveRole: (user: Pick<StoredRole, '_id' | 'role' | 'version'>) =>
      keepNewest(model.collection, user),

    /** The flag `disabled` has its own version, because it and the role come from different events that may have the same version. */
    async saveDisabled(_id: string, disabled: boolean, disabledVersion: number): Promise<void> {
      const older = { _id, $nor: [{ disabledVersion: trusted({ $gte: disabledVersion }) }] };
      const change = {
        $set: { disabled, disabledVersion },
        $setOnInsert: { role: 'User' as const, version: 0 },
      };
      const upsert = () => model.updateOne(older, change, { upsert: true });
      try {
        await upsert();
      } catch (error) {
        // Duplicate key: a newer flag is stored, or the role was inserted concurrently and a second attempt succeeds.
        if (!isDuplicateKey(error)) throw error;
        await upsert().catch((again) => {
          if (!isDuplicateKey(again)) throw again;
        });
      }
    },

    /** Lists the admins who may do this. */
    async listIds(permission: Permission): Promise<string[]> {
      const role = trusted({ $in: rolesWith(permission) });
      const found = await model.find({ role, disabled: trusted({ $ne: true }) }, { _id: 1 }).lean();
      return found.map(({ _id }) => _id);
    },
  };
};
