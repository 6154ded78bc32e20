import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import type { Event } from '@lendtools/contracts';
import { startTestAccounts, waitFor } from '@lendtools/testing';
import { Authenticator } from '../src/auth.ts';
import { createLogger } from '../src/logging.ts';
import { Revocations } from '../src/revocations.ts';

/** Fetches keys often, so that a test can wait for several fetches. */
class Impatient extends Authenticator {
  protected override readonly leastBetweenKeyLoadsMs = 50;
}

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

const isRejected = (verifying: Promise<unknown>): Promise<boolean> =>
  verifying.then(
    () => false,
    (error) => error.code === 'UNAUTHORIZED',
  );

const namingKey = (token: string, kid: string): string => {
  const header = JSON.stringify({ alg: 'EdDSA', kid, typ: 'at+jwt' });
  return token.replace(/^[^.]+/, Buffer.from(header).toString('base64url'));
};

describe('an authenticator', () => {
  it('retries loading the revocations until the accounts service replies', async () => {
    const accounts = await startTestAccounts();
    const sessionId = randomUUID();
    const token = await accounts.sign({ sessionId });
    let [isDown, ended] = [false, false];
    const { authenticator, stop } = await startFront(async (request, response) => {
      if (isDown) return void response.writeHead(503).end();
      const answer = await (await fetch(accounts.url + request.url)).json();
      const accessUntil = new Date(Date.now() + 900_000).toISOString();
      const revoked = { sessions: [{ sessionId, accessUntil }], users: [] };
      response.end(
        JSON.stringify(request.url?.includes('revocations') && ended ? revoked : answer),
      );
    });
    expect(await authenticator.verify(token)).toMatchObject({ sessionId });
    const rejectedOnEvent: boolean[] = [];
    authenticator.revocations.onRevoked(() => {
      const identity = { userId: '', sessionId, userVersion: 1 };
      rejectedOnEvent.push(authenticator.revocations.rejects(identity));
    });

    // The accounts service and the broker fail together, the session ends, then the broker recovers first.
    [isDown, ended] = [true, true];
    await authenticator.load();
    isDown = false;

    await waitFor('the token to be refused', () => isRejected(authenticator.verify(token)));
    expect(rejectedOnEvent).toEqual([true]);
    stop();
    await accounts.stop();
  });

  it('keeps its keys while the accounts service cannot serve newer ones', async () => {
    const accounts = await startTestAccounts();
    const authenticator = new Authenticator([accounts.url], createLogger('test', 'silent'));
    const [known, next] = [await accounts.sign(), await accounts.sign()];
    await authenticator.verify(known);
    await accounts.stop();

    const rejection = authenticator.verify(namingKey(next, 'unknown'));

    await expect(rejection).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await authenticator.verify(next)).toMatchObject({ token: next });
  });
});

describe('an authenticator, when the accounts service has a new key', () => {
  const startRotating = async (Kind = Authenticator) => {
    const [first, second] = await Promise.all([startTestAccounts(), startTestAccounts('second')]);
    let current = first;
    const requested: string[] = [];
    const front = await startFront(async (request, response) => {
      requested.push(request.url ?? '');
      response.end(await (await fetch(current.url + request.url)).text());
    }, Kind);
    const known = await first.sign();
    await front.authenticator.verify(known);
    requested.length = 0;
    return {
      ...front,
      known,
      second,
      requested,
      rotate() {
        current = second;
      },
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
    const { authenticator, second, requested, rotate, forge, stop } =
      await startRotating(Impatient);
    rotate();
    const token = await second.sign();

    const forged = forge(50);
    await expect(authenticator.verify(token)).resolves.toMatchObject({ token });
    const rejected = [...(await forged), ...(await forge(50))];

    expect(new Set(rejected)).toEqual(new Set(['UNAUTHORIZED']));
    expect(new Set(requested)).toEqual(new Set(['/.well-known/jwks.json']));
    await stop();
  });

  it('lets at most a hundred requests wait for the next key fetch, and still accepts a token that it has cached', async () => {
    const { authenticator, known, requested, forge, stop } = await startRotating();
    const verifications = jest.spyOn(crypto.subtle, 'verify');
    await forge(1);

    void forge(100);
    const beyond = await forge(5);
    // Wait for two round trips to the accounts service: an immediate fetch would end within that time.
    await authenticator.load();
    await authenticator.load();
    await authenticator.verify(known);

    expect(beyond).toEqual(Array(5).fill('UNAVAILABLE'));
    expect(requested.filter((path) => path.includes('jwks'))).toHaveLength(1 + 2);
    expect(verifications).not.toHaveBeenCalled();
    verifications.mockRestore();
    await stop();
  });

  it('accepts a retired key for ten more minutes', async () => {
    const { authenticator, known, rotate, stop } = await startRotating();
    rotate();
    expect(await authenticator.verify(known)).toMatchObject({ token: known });

    const inElevenMinutes = performance.now() + 11 * 60_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(inElevenMinutes);

    expect(await isRejected(authenticator.verify(known))).toBe(true);
    clock.mockRestore();
    await stop();
  });

  it('keeps using the known keys without delay while the accounts service is unreachable', async () => {
    const { authenticator, known, stop } = await startRotating();
    await stop();

    const inElevenMinutes = performance.now() + 11 * 60_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(inElevenMinutes);

    expect(await authenticator.verify(known)).toMatchObject({ token: known });
    clock.mockRestore();
  });
});

describe('a revocation', () => {
  it('invalidates a user’s older tokens by their version, even if the publishers’ clocks disagree', () => {
    const revocations = new Revocations();
    const userId = randomUUID();
    const rejects = (userVersion: number) =>
      revocations.rejects({ userId, sessionId: 'any', userVersion });

    revocations.apply({
      type: 'RoleChanged',
      occurredAt: '2020-01-01T00:00:00.000Z',
      version: 7,
      data: { userId, role: 'User' },
    } as Event<'RoleChanged'>);

    expect([rejects(6), rejects(7), rejects(8)]).toEqual([true, false, false]);
  });
});
