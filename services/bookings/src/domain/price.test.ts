import { describe, expect, it } from '@jest/globals';
import { priceLine, type RequestedLine, type Tool } from './price.ts';

const now = new Date('2026-03-01T15:00:00Z');
const drill: Tool = {
  id: 'drill',
  ownerId: 'olga',
  name: 'Drill',
  description: '',
  coverImage: 'null',
  priceCents: 1_250,
  circle: 'daily',
  status: 'Available',
  units: 3,
  timeZone: 'America/Chicago',
  terms: null,
  removed: false,
  ownerDisabled: false,
  version: 1,
};
const line: RequestedLine = {
  toolId: 'drill',
  quantity: 3,
  wishedCode: null,
  startDate: '2026-03-10',
  startTime: '',
  endDate: '2026-03-14',
  endTime: '',
};
const price = (tool: Tool | undefined, renterId = 'ray') =>
  priceLine(line, tool, { renterId, now, path: 'lines[0]' });

describe('priceLine', () => {
  it('multiplies the price of the tool by period and quantity', () => {
    expect(price(drill)).toMatchObject({ period: 4, quantity: 3, totalCents: 15_000 });
  });

  it.each([
    ['a daily tool on a 23-hour day', 'daily', ['2026-03-08', '2026-03-09'], 1],
    ['a daily tool on a 25-hour day', 'daily', ['2026-11-01', '2026-11-02'], 1],
    ['an hourly tool on a 23-hour day', 'hourly', ['2026-03-08', '2026-03-09'], 23],
    ['an hourly tool on a 25-hour day', 'hourly', ['2026-11-01', '2026-11-02'], 25],
  ] as const)('prices %s in a cart line', (_name, circle, [startDate, endDate], period) => {
    const times = { startTime: '12.00 AM', endTime: '12.00 AM' };
    const requested = { ...line, ...times, startDate, endDate };
    const tool = { ...drill, circle };

    const priced = priceLine(requested, tool, { renterId: 'ray', now, path: '' });

    expect(priced).toMatchObject({ period, totalCents: 1_250 * period * 3 });
  });

  it.each([
    ['an unknown tool', undefined, 'ray', 'TOOL_NOT_FOUND'],
    ['a removed tool', { ...drill, removed: true }, 'ray', 'TOOL_NOT_FOUND'],
    ['an unavailable tool', { ...drill, status: 'Unavailable' }, 'ray', 'TOOL_UNAVAILABLE'],
    ['the renter’s own tool', drill, 'olga', 'TOOL_IS_YOURS'],
  ] as const)('rejects %s in a cart line', (_name, tool, renterId, code) => {
    expect(() => price(tool, renterId)).toThrow(expect.objectContaining({ code }));
  });
});
