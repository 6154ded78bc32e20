import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startTestAccounts, waitFor } from '@lendtools/testing';
import { Authenticator } from '../src/auth.ts';
import { createLogger } from '../src/logging.ts';

describe('an authenticator', () => {
  it('asks again until accounts tells who lost access', async () => {
    const accounts = await startTestAccounts();
    const sessionId = randomUUID();
    const token = await accounts.sign({ sessionId });
    let isDown = false;
    const front = createServer(async (request, response) => {
      if (isDown) return void response.writeHead(503).end();
      const answer = await (await fetch(accounts.url + request.url)).json();
      const revoked = { sessions: [{ sessionId, at: Date.now() }], users: [] };
      response.end(
        JSON.stringify(request.url?.includes('revocations') && ended ? revoked : answer),
      );
    });
    let ended = false;
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const authenticator = new Authenticator([url], createLogger('test', 'silent'));
    expect(await authenticator.verify(token)).toMatchObject({ sessionId });
    const refusedWhenTold: boolean[] = [];
    authenticator.revocations.onRevoked(() => {
      const identity = { userId: '', sessionId, issuedAtMs: Date.now() };
      refusedWhenTold.push(authenticator.revocations.refuses(identity));
    });

    // The broker and accounts go away together; the session ends; the broker is back first.
    [isDown, ended] = [true, true];
    await authenticator.load();
    isDown = false;

    await waitFor('the token to be refused', () =>
      authenticator.verify(token).then(
        () => false,
        (error) => error.code === 'UNAUTHORIZED',
      ),
    );
    expect(refusedWhenTold).toEqual([true]);
    front.closeAllConnections();
    front.close();
    await accounts.stop();
  });
});
