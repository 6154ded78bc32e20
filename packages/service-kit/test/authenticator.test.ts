import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import type { Event } from '@lendtools/contracts';
import { startTestAccounts, waitFor } from '@lendtools/testing';
import { Authenticator } from '../src/auth.ts';
import { createLogger } from '../src/logging.ts';
import { Revocations } from '../src/revocations.ts';

/** Fetches keys with a short minimum interval, so that a test can wait for several fetches. */
class Impatient extends Authenticator {
  protected override readonly leastBetweenKeyLoadsMs = 50;
}

/** A stand-in for accounts whose replies a test controls. */
const startFront = async (answer: RequestListener, Kind = Authenticator) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authenticator: new Kind([url], createLogger('test', 'silent')),
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

/** Replaces the token's key id. */
const namingKey = (token: string, kid: string): string => {
  const header = JSON.stringify({ alg: 'EdDSA', kid, typ: 'at+jwt' });
  return token.replace(/^[^.]+/, Buffer.from(header).toString('base64url'));
};

describe('an authenticator', () => {
  it('retries loading the revocations until accounts replies', async () => {
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

    // The broker and accounts go down together, the session ends, then the broker comes back first.
    [isDown, ended] = [true, true];
    await authenticator.load();
    isDown = false;

    await waitFor('the token to be refused', () => isRefused(authenticator.verify(token)));
    expect(refusedWhenTold).toEqual([true]);
    stop();
    await accounts.stop();
  });

  it('keeps its keys while accounts cannot serve newer ones', async () => {
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
  /** Starts accounts with one key; `rotate` replaces it by a second one. */
  const startRotating = async (Kind = Authenticator) => {
    const [first, second] = await Promise.all([startTestAccounts(), startTestAccounts('second')]);
    let current = first;
    const asked: string[] = [];
    const front = await startFront(async (request, response) => {
      asked.push(request.url ?? '');
      response.end(await (await fetch(current.url + request.url)).text());
    }, Kind);
    const known = await first.sign();
    await front.authenticator.verify(known);
    asked.length = 0;
    return {
      ...front,
      known,
      second,
      asked,
      rotate() {
        current = second;
      },
      /** Verifies tokens with random key ids and waits for the results. */
      forge: (count: number) =>
        Promise.all(
          Array.from({ length: count }, () =>
            front.authenticator.verify(namingKey(known, randomUUID())).then(
              () => 'taken',
              ({ code }) => code,
            ),
          ),
        ),
      async stop() {
        front.stop();
        await Promise.all([first.stop(), second.stop()]);
      },
    };
  };

  it('finds the new key, and limits key fetches when many unknown keys arrive', async () => {
    const { authenticator, second, asked, rotate, forge, stop } = await startRotating(Impatient);
    rotate();
    const token = await second.sign();

    const forged = forge(50);
    await expect(authenticator.verify(token)).resolves.toMatchObject({ token });
    const refused = [...(await forged), ...(await forge(50))];

    expect(new Set(refused)).toEqual(new Set(['UNAUTHORIZED']));
    expect(new Set(asked)).toEqual(new Set(['/.well-known/jwks.json']));
    await stop();
  });

  it('lets a hundred requests wait for the next key fetch, and verifies a known token once', async () => {
    const { authenticator, known, asked, forge, stop } = await startRotating();
    const verifications = jest.spyOn(crypto.subtle, 'verify');
    await forge(1);

    void forge(100);
    const beyond = await forge(5);
    // After two round trips to accounts, any immediate fetch would have happened.
    await authenticator.load();
    await authenticator.load();
    await authenticator.verify(known);

    expect(beyond).toEqual(Array(5).fill('UNAVAILABLE'));
    expect(asked.filter((path) => path.includes('jwks'))).toHaveLength(1 + 2);
    expect(verifications).not.toHaveBeenCalled();
    verifications.mockRestore();
    await stop();
  });

  it('accepts a key that accounts has retired for ten more minutes', async () => {
    const { authenticator, known, rotate, stop } = await startRotating();
    rotate();
    expect(await authenticator.verify(known)).toMatchObject({ token: known });

    const inElevenMinutes = performance.now() + 11 * 60_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(inElevenMinutes);

    expect(await isRefused(authenticator.verify(known))).toBe(true);
    clock.mockRestore();
    await stop();
  });

  it('keeps using the known keys without delay while accounts is unreachable', async () => {
    const { authenticator, known, stop } = await startRotating();
    await stop();

    const inElevenMinutes = performance.now() + 11 * 60_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(inElevenMinutes);

    expect(await authenticator.verify(known)).toMatchObject({ token: known });
    clock.mockRestore();
  });
});

describe('a revocation', () => {
  it('invalidates a revoked user’s older tokens by version, whatever the clocks of the publishers', () => {
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
