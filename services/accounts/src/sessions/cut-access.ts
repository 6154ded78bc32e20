import type { Envelope, Event, revocationEvents } from '@lendtools/contracts';
import { addToOutbox } from '@lendtools/event-bus';
import {
  inTransaction,
  type Pool,
  type Revocations,
  type Transaction,
} from '@lendtools/service-kit';

type RevocationEvent = Event<(typeof revocationEvents)[number]>;

/** Runs a transaction that revokes access and publishes events, which this replica applies at once and other replicas consume. */
export const cutAccess = async <T>(
  { pool, authenticator }: { pool: Pool; authenticator: { revocations: Revocations } },
  work: (tx: Transaction, publish: (...events: Envelope[]) => void) => Promise<T>,
): Promise<T> => {
  const { result, published } = await inTransaction(pool, async (tx) => {
    const published: Envelope[] = [];
    const result = await work(tx, (...events) => published.push(...events));
    await addToOutbox(tx, ...published);
    return { result, published };
  });
  for (const event of published) {
    if (isRevocation(event)) authenticator.revocations.apply(event);
  }
  return result;
};

const isRevocation = (event: Envelope): event is RevocationEvent =>
  ['SessionEnded', 'AccountDisabled', 'RoleChanged'].includes(event.type);
