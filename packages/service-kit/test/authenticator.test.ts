import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import type { Event } from '@lendtools/contracts';
import { startTestAccounts, waitFor } from '@lendtools/testing';
import { Authenticator } from '../src/auth.ts';
import { createLogger } from '../src/logging.ts';
import { Revocations } from '../src/revocations.ts';

/** An address in front of accounts, whose answers a test may change. */
const startFront = async (answer: RequestListener) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authenticator: new Authenticator([url], createLogger('test', 'silent')),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
};

const isRefused = (verifying: Promise<unknown>): Promise<boolean> =>
  verifying.then(
    () => false,
    (error) => error.code === 'UNAUTHORIZED',
  );

/** The token as if another key had signed it. */
const namingKey = (token: string, kid: string): string => {
  const header = JSON.stringify({ alg: 'EdDSA', kid, typ: 'at+jwt' });
  return token.replace(/^[^.]+/, Buffer.from(header).toString('base64url'));
};

describe('an authenticator', () => {
  it('asks again until accounts tells who lost access', async () => {
    const accounts = await startTestAccounts();
    const sessionId = randomUUID();
    const token = await accounts.sign({ sessionId });
    let [isDown, ended] = [false, false];
    const { authenticator, stop } = await startFront(async (request, response) => {
      if (isDown) return void response.writeHead(503).end();
      const answer = await (await fetch(accounts.url + request.url)).json();
      const revoked = { sessions: [{ sessionId }], users: [] };
      response.end(
        JSON.stringify(request.url?.includes('revocations') && ended ? revoked : answer),
      );
    });
    expect(await authenticator.verify(token)).toMatchObject({ sessionId });
    const refusedWhenTold: boolean[] = [];
    authenticator.revocations.onRevoked(() => {
      const identity = { userId: '', sessionId, userVersion: 1 };
      refusedWhenTold.push(authenticator.revocations.refuses(identity));
    });

    // The broker and accounts go away together; the session ends; the broker is back first.
    [isDown, ended] = [true, true];
    await authenticator.load();
    isDown = false;

    await waitFor('the token to be refused', () => isRefused(authenticator.verify(token)));
    expect(refusedWhenTold).toEqual([true]);
    stop();
    await accounts.stop();
  });

  it('keeps the keys that it has while accounts can tell no newer ones', async () => {
    const accounts = await startTestAccounts();
    const authenticator = new Authenticator([accounts.url], createLogger('test', 'silent'));
    const [known, next] = [await accounts.sign(), await accounts.sign()];
    await authenticator.verify(known);
    await accounts.stop();

    const refusal = authenticator.verify(namingKey(next, 'unknown'));

    await expect(refusal).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await authenticator.verify(next)).toMatchObject({ token: next });
  });
});

describe('an authenticator, when accounts has a new key', () => {
  /** Accounts under its first key, and, once `rotate` is called, under its second. */
  const startRotating = async () => {
    const [first, second] = await Promise.all([startTestAccounts(), startTestAccounts('second')]);
    let current = first;
    const asked: string[] = [];
    const front = await startFront(async (request, response) => {
      asked.push(request.url ?? '');
      response.end(await (await fetch(current.url + request.url)).text());
    });
    return {
      ...front,
      first,
      second,
      asked,
      rotate() {
        current = second;
      },
      async stop() {
        front.stop();
        await Promise.all([first.stop(), second.stop()]);
      },
    };
  };

  it('asks once a second for all the keys that there are not, and finds the one that there is', async () => {
    const { authenticator, first, second, asked, rotate, stop } = await startRotating();
    const known = await first.sign();
    await authenticator.verify(known);
    rotate();
    const token = await second.sign();
    const forge = (wave: number) =>
      Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          isRefused(authenticator.verify(namingKey(known, `forged-${wave}-${i}`))),
        ),
      );

    const started = performance.now();
    const first100 = forge(1);
    expect(await authenticator.verify(token)).toMatchObject({ token });
    const refused = [...(await first100), ...(await forge(2)), ...(await forge(3))];
    const seconds = (performance.now() - started) / 1_000;

    expect(new Set(refused)).toEqual(new Set([true]));
    expect(asked.filter((path) => path.includes('jwks')).length).toBeLessThan(seconds + 2);
    await stop();
  });

  it('lets the old one count for ten minutes more, if accounts has retired it', async () => {
    const { authenticator, first, rotate, stop } = await startRotating();
    const token = await first.sign();
    await authenticator.verify(token);
    rotate();
    expect(await authenticator.verify(token)).toMatchObject({ token });

    const inElevenMinutes = performance.now() + 11 * 60_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(inElevenMinutes);

    await waitFor('the token to be refused', () => isRefused(authenticator.verify(token)));
    clock.mockRestore();
    await stop();
  });
});

describe('a revocation', () => {
  it('cuts what was issued before, whatever the clocks of those who tell of it say', () => {
    const revocations = new Revocations();
    const userId = randomUUID();
    const refuses = (userVersion: number) =>
      revocations.refuses({ userId, sessionId: 'any', userVersion });

    revocations.apply({
      type: 'RoleChanged',
      occurredAt: '2020-01-01T00:00:00.000Z',
      version: 7,
      data: { userId, role: 'User' },
    } as Event<'RoleChanged'>);

    expect([refuses(6), refuses(7), refuses(8)]).toEqual([true, false, false]);
  });
});
