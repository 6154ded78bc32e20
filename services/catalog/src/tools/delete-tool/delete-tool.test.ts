import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingOf, holdOf } from '../../../test/bookings.ts';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.update-status-when-booking-changed';
const holds = 'catalog.sync-holds';

describe('DELETE /api/rentals/delete-tool/:id', () => {
  it('removes the tool from the catalog and publishes the removal', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    const reply = await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);

    expect([reply.status, reply.body]).toEqual([200, { message: 'Tool deleted successfully' }]);
    const event = await catalog.broker.expectEvent('ToolRemoved', (d) => d.toolId === tool.id);
    expect(event.data).toEqual({ toolId: tool.id, ownerId: owner.id });
    expect(event.version).toBe(2);
  });

  it('replies 409 while a booking is open, and deletes the tool afterwards', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner, { quantity: 5 });
    const booking = bookingOf(tool);
    const booked = await catalog.broker.sendNew('BookingCreated', booking);
    await catalog.handled(queue, booked);

    const during = await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);
    await catalog.handled(queue, await catalog.broker.sendNew('BookingReturned', booking));
    const after = await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);

    expect(during).toMatchObject({ status: 409, body: { code: 'TOOL_HAS_BOOKINGS' } });
    expect(after.status).toBe(200);
  });

  it('replies 409 while a hold is unpaid, and deletes the tool once the hold has expired', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const hold = holdOf(tool);
    await catalog.handled(holds, await catalog.broker.sendNew('BookingHeld', hold));

    const during = await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);
    await catalog.handled(holds, await catalog.broker.sendNew('BookingExpired', hold));
    const after = await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);

    expect(during).toMatchObject({ status: 409, body: { code: 'TOOL_HAS_BOOKINGS' } });
    expect(after.status).toBe(200);
  });

  it('records a support admin who deletes it, and rejects a finance admin', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const path = `/api/rentals/delete-tool/${tool.id}`;
    const userId = randomUUID();
    const support = await catalog.accounts.sign({ userId, role: 'Support' });
    const finance = await catalog.accounts.sign({ role: 'Finance' });

    const rejected = await catalog.http.delete(path, { token: finance });
    const deleted = await catalog.http.delete(path, { token: support });

    expect([rejected.status, deleted.status]).toEqual([403, 200]);
    const { data } = await catalog.broker.expectEvent(
      'AdminActedInCatalog',
      ({ subject }) => subject === tool.id,
    );
    expect(data).toMatchObject({ actorId: userId, action: 'deleteTool', actorRole: 'Support' });
  });

  it('lets only the owner and admins delete a tool, and replies 404 to a repeated deletion', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const path = `/api/rentals/delete-tool/${tool.id}`;

    const statuses = [
      (await catalog.http.delete(path)).status,
      (await catalog.http.delete(path, await catalog.addOwner())).status,
      (await catalog.http.delete(path, await catalog.admin())).status,
      (await catalog.http.delete(path, owner)).status,
      (await catalog.http.delete(`/api/rentals/delete-tool/${randomUUID()}`, owner)).status,
    ];

    expect(statuses).toEqual([401, 403, 200, 404, 404]);
  });
});
