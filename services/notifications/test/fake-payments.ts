import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stubServerOptions } from '@lendtools/testing';

export const internalSecret = 'what-only-the-services-know-of-each-other';

/**
 * A stub of the payments service: the file of a receipt is the text `receipt of <payment>`, that of a credit note is
 * `credit note of <refund>`.
 */
export const startFakePayments = async () => {
  /** How many of the next requests fail. */
  const outage = { requests: 0 };
  const server = createServer(stubServerOptions, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://payments');
    const paymentId = /^\/internal\/payments\/([^/]+)\/receipt$/.exec(pathname)?.[1];
    const isOurs = request.headers.authorization === `Bearer ${internalSecret}`;
    if (!paymentId || !isOurs || outage.requests-- > 0) {
      response.writeHead(503).end();
      return;
    }
    const refund = searchParams.get('refund');
    const name = refund ? 'credit-note-C-0000-0001' : 'receipt-R-0000-0001';
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${name}.pdf"`,
    });
    response.end(refund ? `credit note of ${refund}` : `receipt of ${paymentId}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    outage,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
