import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenMatters, PersonalData } from '@lendtools/contracts';
import { stubServerOptions } from '@lendtools/testing';
import { createFakeContents } from './fake-contents.ts';

export const internalSecret = 'what-the-services-know-each-other-by';

const none: OpenMatters = {
  rentals: 0,
  lendings: 0,
  problems: 0,
  purchases: 0,
  refunds: 0,
  disputes: 0,
  earnings: 0,
  debts: 0,
};

/**
 * Stubs the services that accounts calls. `matters`: open matters by user, none by default. `data`: data exports by service.
 * `pictures`: contents by path.
 */
export const startFakeServices = async (contents = createFakeContents()) => {
  const matters = new Map<string, Partial<OpenMatters>>();
  const data = new Map<string, PersonalData>();
  const pictures = new Map<string, () => Promise<Buffer>>();
  const outage = { isOn: false };
  const server = createServer(stubServerOptions, (request, response) => {
    if (contents.answer(request, response)) return;
    const [, userId = ''] = /^\/internal\/users\/([^/]+)\/open-/.exec(request.url ?? '') ?? [];
    const [, service] = /\/data-of-(\w+)$/.exec(request.url ?? '') ?? [];
    const content = pictures.get(request.url ?? '');
    if (content) {
      void content().then((bytes) => response.end(bytes));
      return;
    }
    if (service || request.url?.startsWith('/api/images/')) {
      const hasUserToken = !service || request.headers.authorization !== `Bearer ${internalSecret}`;
      response.writeHead(outage.isOn || !hasUserToken ? 503 : 200, {
        'content-type': service ? 'application/json' : 'image/webp',
      });
      response.end(
        service ? JSON.stringify(data.get(service) ?? { files: {}, pictures: [] }) : 'a picture',
      );
      return;
    }
    const hasSecret = request.headers.authorization === `Bearer ${internalSecret}`;
    response.writeHead(outage.isOn || !hasSecret ? 503 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ ...none, ...matters.get(userId) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    matters,
    data,
    pictures,
    outage,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
