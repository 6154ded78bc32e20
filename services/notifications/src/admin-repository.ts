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

/** Who is an admin: everybody's role, since an admin may become a user again and late news must not undo that. */
export const createAdminRepository = (connection: Connection) => {
  const schema = new Schema<StoredRole>(
    { _id: String, role: String, version: Number, disabled: Boolean, disabledVersion: Number },
    { versionKey: false, id: false },
  );
  const model = connection.model('Role', schema, 'roles');

  return {
    keepRole: (known: Pick<StoredRole, '_id' | 'role' | 'version'>) =>
      keepNewest(model.collection, known),

    /** Told by an event of its own, which may have the same version as that of the role. */
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
        // It is there, with newer news, or has just been made by the news of the role: then the second try finds it.
        if (!isDuplicateKey(error)) throw error;
        await upsert().catch((again) => {
          if (!isDuplicateKey(again)) throw again;
        });
      }
    },

    /** Every admin who may log in. */
    async listIds(): Promise<string[]> {
      const found = await model
        .find({ role: 'Admin', disabled: trusted({ $ne: true }) }, { _id: 1 })
        .lean();
      return found.map(({ _id }) => _id);
    },
  };
};
