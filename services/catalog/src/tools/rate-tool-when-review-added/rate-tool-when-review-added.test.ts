import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, Tool } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { bookingOf } from '../../../test/bookings.ts';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.rate-tool-when-review-added';

const review = (tool: Tool, version: number, count: number, sum: number): Envelope =>
  newEvent(
    'ReviewAdded',
    { id: tool.id, version },
    {
      ...bookingOf(tool),
      reviewId: randomUUID(),
      rating: 4,
      comment: 'Strong and clean.',
      changed: false,
      toolRatingCount: count,
      toolRatingSum: sum,
    },
  );

const deliver = async (...events: Envelope[]): Promise<void> => {
  for (const event of events) {
    await catalog.broker.send(event);
    await catalog.handled(queue, event);
  }
};

const listTool = async (): Promise<Tool> => catalog.addTool(await catalog.addOwner());
const ratingOf = async ({ id }: Tool) => {
  const { rating, reviewCount } = await catalog.getTool(id);
  return { rating, reviewCount };
};

describe(queue, () => {
  it("sets the tool's rating to the mean of its reviews", async () => {
    const tool = await listTool();

    await deliver(review(tool, 1, 3, 13));

    expect(await ratingOf(tool)).toEqual({ rating: 4.33, reviewCount: 3 });
  });

  it('removes a withdrawn review from the rating', async () => {
    const tool = await listTool();
    const sums = { toolRatingCount: 0, toolRatingSum: 0 };
    const data = { ...bookingOf(tool), ...sums };

    await deliver(
      review(tool, 1, 1, 5),
      newEvent('ReviewWithdrawn', { id: tool.id, version: 2 }, data),
    );

    expect(await ratingOf(tool)).toEqual({ rating: 0, reviewCount: 0 });
  });

  it('ignores a duplicate event', async () => {
    const tool = await listTool();
    const event = review(tool, 1, 1, 4);

    await deliver(event, event, review(tool, 2, 2, 9), { ...event, id: randomUUID() });

    expect(await ratingOf(tool)).toEqual({ rating: 4.5, reviewCount: 2 });
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, review(await listTool(), 1, 1, 4));
  });

  it('retries after a failure', async () => {
    const tool = await listTool();

    await expectRetry(catalog, queue, review(tool, 1, 1, 5));

    expect(await ratingOf(tool)).toEqual({ rating: 5, reviewCount: 1 });
  });

  it('keeps the later of two events that arrive out of order', async () => {
    const tool = await listTool();

    await deliver(review(tool, 2, 2, 6), review(tool, 1, 1, 5));

    expect(await ratingOf(tool)).toEqual({ rating: 3, reviewCount: 2 });
  });
});
