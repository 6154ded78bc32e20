import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tool } from '@lendtools/contracts';
import { stubServerOptions } from './hangs-after.ts';

const categoryId = '0190b2f0-0000-7000-8000-000000000001';

const toolOf = (id: string, userId: string): Tool => ({
  id,
  name: 'Cordless drill',
  description: 'Strong.',
  price: 24,
  rental_circle: 'daily',
  item_status: 'Available',
  rating: 0,
  reviewCount: 0,
  quantity: 1,
  categoryId,
  category: { id: categoryId, name: 'Drills' },
  userId,
  user: {
    id: userId,
    first_name: 'Olga',
    last_name: 'Owner',
    country: 'United States',
    state: 'Texas',
    city: 'Austin',
    address: '',
    emailVerified: true,
  },
  cover_image: 'null',
  image: 'null',
  image1: 'null',
  image2: 'null',
  image3: 'null',
  image4: 'null',
  timeZone: 'America/Chicago',
  placeAccuracy: 'city',
  pickup: null,
  terms: null,
  distance: null,
  createdAt: '2026-05-01T12:00:00.000Z',
});

/** A stub of catalog, which knows the tools in `owners`, each with its owner. */
export const startFakeCatalog = async () => {
  const owners = new Map<string, string>();
  const server = createServer(stubServerOptions, (request, response) => {
    const id = (request.url ?? '').split('/').at(-1) ?? '';
    const owner = owners.get(id);
    const detail = 'This tool is no longer on LendTools.';
    const problem = {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'TOOL_NOT_FOUND',
      detail,
      requestId: '1',
      message: detail,
      errors: [{ msg: detail, path: '' }],
    };
    response.writeHead(owner ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(owner ? { tool: [toolOf(id, owner)] } : problem));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    owners,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
