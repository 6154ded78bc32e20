import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
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

  it('keeps the keys that it has while accounts can tell no newer ones', async () => {
    const accounts = await startTestAccounts();
    const authenticator = new Authenticator([accounts.url], createLogger('test', 'silent'));
    const [known, next] = [await accounts.sign(), await accounts.sign()];
    await authenticator.verify(known);
    await accounts.stop();
    const header = { alg: 'EdDSA', kid: 'unknown', typ: 'at+jwt' };
    const ofUnknownKey = next.replace(
      /^[^.]+/,
      Buffer.from(JSON.stringify(header)).toString('base64url'),
    );
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);

    const refusal = authenticator.verify(ofUnknownKey);

    await expect(refusal).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await authenticator.verify(next)).toMatchObject({ token: next });
    clock.mockRestore();
  });
});
