import { revocationEvents } from '@lendtools/contracts';
import { type Broker, consumeOnEveryReplica } from '@lendtools/event-bus';
import type { Authenticator, Logger } from '@lendtools/service-kit';

/** Consumes revocations. After a reconnect, loads the missed ones from the accounts service. */
export const consumeRevocations = (
  broker: Broker,
  logger: Logger,
  authenticator: Authenticator,
): void =>
  consumeOnEveryReplica(broker, logger, {
    types: revocationEvents,
    handle: (event) => authenticator.revocations.apply(event),
    onConnected: () => authenticator.load(),
  });
