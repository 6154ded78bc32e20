import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const toolOf = async (owner: Person): Promise<string> =>
  (await service.tool({ ownerId: owner.userId, units: 3 })).toolId;

/** Holds a tool with a requested booking code and returns the code that was assigned. */
const codeOf = async (renter: Person, toolId: string, wished: string): Promise<string> => {
  const line = service.line(toolId, { booking_code: wished });
  const { status, body } = await service.postHold(renter, [line]);
  expect(status).toBe(201);
  return body.hold.lines[0].booking_code;
};

describe('booking codes', () => {
  it('may be equal for unrelated owners and renters', async () => {
    const owners = [await service.person(), await service.person()];
    const renters = [await service.person(), await service.person()];
    const tools = await Promise.all(owners.map(toolOf));

    const codes = await Promise.all(
      renters.map((renter, i) => codeOf(renter, tools[i] as string, 'LT111111')),
    );

    expect(codes).toEqual(['LT111111', 'LT111111']);
  });

  it('are unique among the open bookings of one owner', async () => {
    const toolId = await toolOf(await service.person());

    const codes = [
      await codeOf(await service.person(), toolId, 'LT222222'),
      await codeOf(await service.person(), toolId, 'LT222222'),
    ];

    expect(codes).toEqual(['LT222222', expect.stringMatching(/^LT[1-9]\d{5}$/)]);
    expect(codes[1]).not.toBe('LT222222');
  });

  it('are unique among the open bookings of one renter', async () => {
    const renter = await service.person();
    const tools = [await toolOf(await service.person()), await toolOf(await service.person())];

    const first = await codeOf(renter, tools[0] as string, 'LT333333');
    const second = await codeOf(renter, tools[1] as string, 'LT333333');

    expect(first).toBe('LT333333');
    expect(second).not.toBe('LT333333');
  });

  it('let an admin find every booking with the same code', async () => {
    const dates = { booking_code: 'LT444444', start_date: inDays(3), end_date: inDays(4) };
    const [one, other] = await Promise.all(
      [1, 2].map(async () =>
        service.booked(await service.person(), await toolOf(await service.person()), dates),
      ),
    );

    const { body } = await service.http.get('/api/all-bookings?q=LT444444', admin);

    expect(body.bookings.map(({ id }: { id: string }) => id).sort()).toEqual(
      [one?.id, other?.id].sort(),
    );
  });
});
