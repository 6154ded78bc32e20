import { randomUUID } from 'node:crypto';
import type { Envelope, EventData, EventType } from '@lendtools/contracts';
import { currentContext, currentTraceparent } from '@lendtools/service-kit';

/** Adds the correlation and causation ids of the current request or event. */
export const newEvent = <T extends EventType>(
  type: T,
  aggregate: { id: string; version: number },
  data: EventData<T>,
): Envelope & { type: T; data: EventData<T> } => {
  const context = currentContext();
  const id = randomUUID();
  return {
    id,
    type,
    occurredAt: new Date().toISOString(),
    aggregateId: aggregate.id,
    version: aggregate.version,
    correlationId: context?.correlationId ?? id,
    causationId: context?.causationId ?? null,
    traceparent: currentTraceparent(),
    data,
  };
};
