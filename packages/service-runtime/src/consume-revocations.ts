import { revocationEvents } from '@lendtools/contracts';
import { type Broker, consumeOnEveryReplica } from '@lendtools/event-bus';
import type { Authenticator, Logger } from '@lendtools/service-kit';

/** Keeps an authenticator's revocations up to date. After each reconnect it loads from accounts what it missed. */
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
