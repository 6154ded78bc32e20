import { keepNewest } from '@lendtools/event-bus';
import { type Connection, Schema, trusted } from 'mongoose';

interface Person {
  _id: string;
  firstName: string;
  lastName: string;
  version: number;
}

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;

/** The name shown until the account's event arrives, which usually takes milliseconds. */
const unknown = { firstName: 'A neighbor', lastName: '' };

export const createPeopleRepository = (connection: Connection) => {
  const schema = new Schema<Person>(
    { _id: String, firstName: String, lastName: String, version: Number },
    { versionKey: false },
  );
  const model = connection.model('Person', schema, 'people');

  return {
    upsert: (person: Person) => keepNewest(model.collection, person),

    async names(userIds: string[]): Promise<(userId: string) => typeof unknown> {
      const found = await model.find({ _id: trusted({ $in: [...new Set(userIds)] }) }).lean();
      const byId = new Map(found.map((person) => [person._id, person]));
      return (userId) => byId.get(userId) ?? unknown;
    },
  };
};
