import { keepNewest, NotKnownYetError } from '@lendtools/event-bus';
import { batchCalls } from '@lendtools/service-kit';
import { type Connection, Schema, trusted } from 'mongoose';

/** A person to notify, with the pick-up place of an owner. */
export interface Person {
  _id: string;
  firstName: string;
  lastName: string;
  email: string;
  address: string;
  city: string;
  state: string;
  /** Missing in rows stored by an earlier version. */
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

  /** Batches the queries for the two parties of a booking. */
  const find = batchCalls(async (ids: string[]) => {
    const found = await model.find({ _id: trusted({ $in: ids }) }).lean();
    return ids.map((id) => found.find(({ _id }) => _id === id));
  });

  return {
    /** Stores the person unless a newer version is stored. */
    keep: (person: Person) => keepNewest(model.collection, person),

    /**
     * Returns a person to notify.
     * @throws NotKnownYetError while the event of their account is in transit; the consumer retries
     */
    async get(userId: string): Promise<Person> {
      const person = await find(userId);
      if (!person) throw new NotKnownYetError(`Person ${userId} is not known yet`);
      return person;
    },
  };
};
