import { keepNewest } from '@lendtools/event-bus';
import { isDuplicateKey } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

interface StoredRole {
  _id: string;
  role: 'User' | 'Admin';
  version: number;
  disabled: boolean;
  disabledVersion: number;
}

export type AdminRepository = ReturnType<typeof createAdminRepository>;

/** Stores every user's role, not only admins: an admin may be demoted, and a late event must not undo that. */
export const createAdminRepository = (connection: Connection) => {
  const schema = new Schema<StoredRole>(
    { _id: String, role: String, version: Number, disabled: Boolean, disabledVersion: Number },
    { versionKey: false, id: false },
  );
  const model = connection.model('Role', schema, 'roles');

  return {
    keepRole: (known: Pick<StoredRole, '_id' | 'role' | 'version'>) =>
      keepNewest(model.collection, known),

    /**
     * Stores whether an account is disabled. The role comes in another event that may have the same version, so the
     * flag has a version of its own.
     */
    async keepDisabled(_id: string, disabled: boolean, disabledVersion: number): Promise<void> {
      const older = { _id, $nor: [{ disabledVersion: trusted({ $gte: disabledVersion }) }] };
      const change = {
        $set: { disabled, disabledVersion },
        $setOnInsert: { role: 'User' as const, version: 0 },
      };
      const upsert = () => model.updateOne(older, change, { upsert: true });
      try {
        await upsert();
      } catch (error) {
        // Either a newer flag is stored, or the role was inserted concurrently. In the second case the second attempt
        // updates that row.
        if (!isDuplicateKey(error)) throw error;
        await upsert().catch((again) => {
          if (!isDuplicateKey(again)) throw again;
        });
      }
    },

    /** The ids of all admins who are not disabled. */
    async listIds(): Promise<string[]> {
      const found = await model
        .find({ role: 'Admin', disabled: trusted({ $ne: true }) }, { _id: 1 })
        .lean();
      return found.map(({ _id }) => _id);
    },
  };
};
