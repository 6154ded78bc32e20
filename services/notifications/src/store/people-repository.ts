import { keepNewest, NotKnownYetError } from '@lendtools/event-bus';
import { batchCalls } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

export interface Person {
  _id: string;
  firstName: string;
  lastName: string;
  email: string;
  address: string;
  city: string;
  state: string;
  emailVerified: boolean;
  version: number;
}

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;

export const createPeopleRepository = (connection: Connection) => {
  const schema = new Schema<Person>(
    {
      _id: String,
      firstName: String,
      lastName: String,
      email: String,
      address: String,
      city: String,
      state: String,
      emailVerified: Boolean,
      version: Number,
    },
    { versionKey: false, id: false },
  );
  const model = connection.model('Person', schema, 'people');

  const find = batchCalls(async (ids: string[]) => {
    const found = await model.find({ _id: trusted({ $in: ids }) }).lean();
    return ids.map((id) => found.find(({ _id }) => _id === id));
  });

  return {
    find,

    save: (person: Person) => keepNewest(model.collection, person),

    /** @throws NotKnownYetError while the event of the user's account is in transit; the consumer retries */
    async get(userId: string): Promise<Person> {
      const person = await find(userId);
      if (!person) throw new NotKnownYetError(`Person ${userId} is not known yet`);
      return person;
    },
  };
};
