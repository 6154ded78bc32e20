import type { EventData } from '@lendtools/contracts';
import { keepNewest } from '@lendtools/event-bus';
import { type Connection, Schema, trusted } from 'mongoose';

/** `_id` is `<blocker>:<blocked>`. The document stays when the person is unblocked, because events may arrive in any order. */
interface Block {
  _id: string;
  blocked: boolean;
  version: number;
}

export type BlockRepository = ReturnType<typeof createBlockRepository>;

const keyOf = (blockerId: string, blockedId: string): string => `${blockerId}:${blockedId}`;

export const createBlockRepository = (connection: Connection) => {
  const schema = new Schema<Block>(
    { _id: String, blocked: Boolean, version: Number },
    { versionKey: false },
  );
  const model = connection.model('Block', schema, 'blocks');

  return {
    store: (
      { blockerId, blockedId, blocked }: EventData<'PersonBlocked'>,
      version: number,
    ): Promise<void> =>
      keepNewest(model.collection, { _id: keyOf(blockerId, blockedId), blocked, version }),

    /** The users among `otherIds` who have blocked a user, or whom the user has blocked. */
    async findBetween(userId: string, otherIds: string[]): Promise<Set<string>> {
      const keysOf = (id: string) => [keyOf(userId, id), keyOf(id, userId)];
      const _id = trusted({ $in: otherIds.flatMap(keysOf) });
      const found = await model.find({ _id, blocked: true }).lean();
      const keys = new Set(found.map((block) => block._id));
      return new Set(otherIds.filter((id) => keysOf(id).some((key) => keys.has(key))));
    },
  };
};
