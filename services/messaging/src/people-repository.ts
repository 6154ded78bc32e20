import { type Connection, Schema, trusted } from 'mongoose';

export interface Person {
  _id: string;
  firstName: string;
  lastName: string;
  version: number;
}

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;

/** Said before the account's event arrived, which takes milliseconds. */
const unknown = { firstName: 'A neighbor', lastName: '' };

/** What messaging knows of people: how they are called. */
export const createPeopleRepository = (connection: Connection) => {
  const schema = new Schema<Person>(
    { _id: String, firstName: String, lastName: String, version: Number },
    { versionKey: false },
  );
  const model = connection.model('Person', schema, 'people');

  return {
    /** Keeps the newer of what is known and what is told. */
    async keep({ _id, version, ...names }: Person): Promise<void> {
      const newer = await model.updateOne(
        { _id, version: trusted({ $lt: version }) },
        { version, ...names },
      );
      if (newer.matchedCount === 0) {
        await model.updateOne({ _id }, { $setOnInsert: { version, ...names } }, { upsert: true });
      }
    },

    async names(userIds: string[]): Promise<(userId: string) => typeof unknown> {
      const found = await model.find({ _id: trusted({ $in: [...new Set(userIds)] }) }).lean();
      const byId = new Map(found.map((person) => [person._id, person]));
      return (userId) => byId.get(userId) ?? unknown;
    },
  };
};
