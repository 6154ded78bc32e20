import { keepNewest, NotKnownYetError } from '@lendtools/event-bus';
import { batchCalls } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

/** Who is told, and, for those whose tools are picked up, where. */
export interface Person {
  _id: string;
  firstName: string;
  lastName: string;
  email: string;
  address: string;
  city: string;
  state: string;
  /** Missing from rows that an earlier release stored. */
  emailVerified?: boolean;
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

  /** The two of a booking are asked for at once. */
  const find = batchCalls(async (ids: string[]) => {
    const found = await model.find({ _id: trusted({ $in: ids }) }).lean();
    return ids.map((id) => found.find(({ _id }) => _id === id));
  });

  return {
    /** Keeps the newer of what is stored and what arrives. */
    keep: (person: Person) => keepNewest(model.collection, person),

    /**
     * A person to be told.
     * @throws NotKnownYetError while their account's event is on its way; the consumer tries again.
     */
    async get(userId: string): Promise<Person> {
      const person = await find(userId);
      if (!person) throw new NotKnownYetError(`Person ${userId} is not known yet`);
      return person;
    },
  };
};
