import { keepNewest } from '@lendtools/event-bus';
import { type Connection, Schema } from 'mongoose';

interface StoredAccount {
  _id: string;
  isReady: boolean;
  version: number;
}

export type PayoutAccountRepository = ReturnType<typeof createPayoutAccountRepository>;

/** Copies which owners can be paid, by the owner's id. */
export const createPayoutAccountRepository = (connection: Connection) => {
  const schema = new Schema<StoredAccount>(
    { _id: String, isReady: Boolean, version: Number },
    { versionKey: false, id: false },
  );
  const model = connection.model('PayoutAccount', schema, 'payout_accounts');
  return {
    save: (account: StoredAccount) => keepNewest(model.collection, account),

    async isReady(ownerId: string): Promise<boolean> {
      return (await model.exists({ _id: ownerId, isReady: true })) !== null;
    },
  };
};
