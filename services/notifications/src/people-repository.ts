import { NotKnownYetError } from '@lendtools/event-bus';
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
      version: Number,
    },
    { versionKey: false, id: false },
  );
  const model = connection.model('Person', schema, 'people');

  return {
    /** Keeps the newer of what is known and what is told. */
    async keep({ _id, version, ...rest }: Person): Promise<void> {
      const older = { _id, version: trusted({ $lt: version }) };
      // No match means that the insert meets the person's document: a newer one, or, the first time, an older one
      // that another event's handler has just made; then the second try finds it.
      for (let attempt = 1; attempt <= 2; attempt++) {
        try {
          await model.updateOne(older, { $set: { version, ...rest } }, { upsert: true });
          return;
        } catch (error) {
          if ((error as { code?: number }).code !== 11_000) throw error;
        }
      }
    },

    /**
     * A person to be told.
     * @throws NotKnownYetError while their account's event is on its way; the consumer tries again.
     */
    async get(userId: string): Promise<Person> {
      const person = await model.findById(userId).lean();
      if (!person) throw new NotKnownYetError(`Person ${userId} is not known yet`);
      return person;
    },
  };
};
