import { noticeTopics, type Preferences, topics } from '@lendtools/contracts';
import { batchCalls, isDuplicateKey } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

/** Only what the user has set; everything else is on. */
interface StoredPreferences {
  _id: string;
  emails?: Partial<Preferences['emails']>;
  notices?: Partial<Preferences['notices']>;
}

type PreferenceChange = Omit<StoredPreferences, '_id'>;
export type PreferenceRepository = ReturnType<typeof createPreferenceRepository>;

const allOn = <T extends string>(names: readonly T[]) =>
  Object.fromEntries(names.map((name) => [name, true])) as Record<T, boolean>;

/** Stores which emails and notices users want, by the user's id. */
export const createPreferenceRepository = (connection: Connection) => {
  const schema = new Schema<StoredPreferences>(
    { _id: String, emails: Schema.Types.Mixed, notices: Schema.Types.Mixed },
    { versionKey: false, id: false },
  );
  const model = connection.model('Preferences', schema, 'preferences');

  const find = batchCalls(async (ids: string[]) => {
    const found = await model.find({ _id: trusted({ $in: ids }) }).lean();
    return ids.map((id) => found.find(({ _id }) => _id === id));
  });

  return {
    async get(userId: string): Promise<Preferences> {
      const stored = await find(userId);
      return {
        emails: { ...allOn(topics), ...stored?.emails },
        notices: { ...allOn(noticeTopics), ...stored?.notices },
      };
    },

    /** Sets only the given switches, so that concurrent changes of different switches are all kept. */
    async change(userId: string, { emails = {}, notices = {} }: PreferenceChange): Promise<void> {
      const $set = Object.fromEntries([
        ...Object.entries(emails).map(([topic, isWanted]) => [`emails.${topic}`, isWanted]),
        ...Object.entries(notices).map(([topic, isWanted]) => [`notices.${topic}`, isWanted]),
      ]);
      if (Object.keys($set).length === 0) return;
      const upsert = () => model.updateOne({ _id: userId }, { $set }, { upsert: true });
      await upsert().catch((error: unknown) => {
        // A concurrent change inserted the document first.
        if (!isDuplicateKey(error)) throw error;
        return upsert();
      });
    },

    async deleteOf(userId: string): Promise<void> {
      await model.deleteOne({ _id: userId });
    },
  };
};
