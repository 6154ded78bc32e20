import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import sharp from 'sharp';
import { violations } from '../src/invariants.ts';
import { marketplace, query, runFile, whileFrozen } from '../src/marketplace.ts';
import { api, formOf, listTool, newPerson, type Person } from '../src/people.ts';
import { bookingsOf, buyAndCloseTheTab, intentIdOf, line, stripe } from '../src/purchases.ts';
import { createWorld } from '../src/world.ts';

const root = path.join(import.meta.dirname, '..', '..');
const home = path.join(root, '.local', 'restored-site');
const folder = path.join(root, '.local', 'restored-backup');
const lived = runFile();
let restored: ChildProcess | undefined;

afterAll(async () => {
  if (restored && restored.exitCode === null) {
    const ended = once(restored, 'exit');
    restored.kill('SIGTERM');
    await ended;
  }
  process.env.TEST_RUN_FILE = lived;
});

const runCommand = async (file: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, file), ...args], {
    cwd: root,
  });
  return stdout;
};

/** Restores the backup on new servers with the same Stripe, as an operator does after losing the machine. */
const startRestored = async (): Promise<void> => {
  const { apiBase, secretKey, publishableKey, webhookSecret, connectWebhookSecret } =
    marketplace().stripe;
  const { POSTGRES_URL: _, AMQP_URL: __, MONGO_URL: ___, ...env } = process.env;
  const start = path.join(root, 'infra/local/start.ts');
  restored = spawn(
    process.execPath,
    [start, '--home', home, '--port', '0', '--no-demo', '--restore', folder],
    {
      cwd: root,
      env: {
        ...env,
        RATE_LIMIT_FACTOR: '1000',
        STRIPE_API_BASE: apiBase,
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_PUBLISHABLE_KEY: publishableKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_CONNECT_WEBHOOK_SECRET: connectWebhookSecret,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  restored.stdout?.on('data', (text) => {
    said += text;
  });
  await waitFor('the restored marketplace', () => {
    if (restored?.exitCode != null) throw new Error(said);
    return said.includes('Ready.');
  });
};

const logInAgain = async (person: Person): Promise<Person> => {
  const { email, password } = person;
  const { body } = await api().post('/api/login', { body: { email, password } });
  return { ...person, token: body.token };
};

const keepBuying = (renter: Person, toolId: string) => {
  const bought: { code: string; paymentIntent: string }[] = [];
  let isOver = false;
  const done = (async () => {
    for (let day = 2; !isOver; day += 2) {
      const one = await buyAndCloseTheTab(renter, [line(toolId, day, day + 1)]);
      bought.push({ code: one.codes[0], paymentIntent: intentIdOf(one.clientSecret) });
      await delay(200);
    }
  })();
  const stop = (): Promise<void> => {
    isOver = true;
    return done;
  };
  return { renter, bought, stop };
};

const codesOf = async (renter: Person): Promise<string[]> =>
  (await bookingsOf(renter)).map(({ booking_code }: { booking_code: string }) => booking_code);

const noticesOf = async (person: Person, kind: string): Promise<unknown[]> => {
  const path = `/api/user/${person.id}/notifications?limit=100`;
  const { body } = await api().get(path, { token: person.token });
  return (body.notifications ?? []).filter((each: { kind: string }) => each.kind === kind);
};

const picture = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: '#284' } })
    .png()
    .toBuffer();

it('restores on new servers a backup that was taken during purchases, without losing data', async () => {
  rmSync(home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
  const world = await createWorld();
  const { owner, renter } = world.people;
  // Without this term, the first booking would make the tool unavailable.
  const terms = JSON.stringify({ staysListed: true });
  const toolId = await listTool(owner, { quantity: 5, terms });
  const cover = new Blob([new Uint8Array(await picture())], { type: 'image/png' });
  const { body: edited } = await api().put(`/api/update-rental/${toolId}`, {
    token: owner.token,
    body: formOf({ cover_image: cover }),
  });
  const buyers = await Promise.all([newPerson(), newPerson()]);
  const notified = (await noticesOf(renter, 'message')).length;

  // While the notifications service is frozen, its events stay at the broker, so the backup contains them.
  const { loads, since } = await whileFrozen('notifications', async () => {
    const loads = buyers.map((buyer) => keepBuying(buyer, toolId));
    const reply = await api().post(
      `/api/user/${owner.id}/messaging/${world.messageId}/send-reply`,
      { token: owner.token, body: { message: 'Come at ten.' } },
    );
    expect(reply.status).toBe(201);
    await waitFor('bookings', async () => {
      const counts = await Promise.all(buyers.map(codesOf));
      return counts.every(({ length }) => length >= 2);
    });
    const said = await runCommand(
      'packages/service-runtime/src/backup/backup-command.ts',
      ...['--home', path.dirname(lived), '--to', folder],
    );
    const before = loads.map(({ bought }) => bought.length);
    await waitFor('purchases after the backup', () =>
      loads.every(({ bought }, i) => bought.length >= (before[i] as number) + 2),
    );
    await Promise.all(loads.map((load) => load.stop()));
    return { loads, since: /Backup of (\S+)/.exec(said)?.[1] as string };
  });
  await startRestored();
  process.env.TEST_RUN_FILE = path.join(home, 'run.json');

  const [ownerNow, renterNow] = (await Promise.all([owner, renter].map(logInAgain))) as [
    Person,
    Person,
  ];
  const lost = await runCommand(
    'services/payments/src/refunds/refund-unknown-charges/unknown-charges-command.ts',
    ...['refund', '--home', home, '--since', since],
  );
  expect(lost).toContain('refunded or canceled.');
  // Makes all payments due for their next check.
  await query('payments', 'UPDATE payments SET next_check_at = now()');
  for (const { renter: buyer, bought } of loads) {
    const now = await logInAgain(buyer);
    const kept = bought.filter(({ paymentIntent }) => !lost.includes(paymentIntent));
    expect(kept.length).toBeGreaterThanOrEqual(2);
    await waitFor('the bookings of the backup', async () => {
      const codes = await codesOf(now);
      return kept.every(({ code }) => codes.includes(code));
    });
    expect(await noticesOf(now, 'message')).toEqual([]);
  }
  await waitFor('the notice of the reply in the backup', async () => {
    return (await noticesOf(renterNow, 'message')).length === notified + 1;
  });
  const replies = await api().get(`/api/replies/${world.messageId}/my-replies`, {
    token: renterNow.token,
  });
  expect(JSON.stringify(replies.body)).toContain('Come at ten.');
  const shown = await fetch(new URL(edited.rental.cover_image, marketplace().site));
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
  // The client must confirm the payment, because Stripe still sends its webhooks to the first site.
  const next = await buyAndCloseTheTab(renterNow, [line(toolId, 200, 201)]);
  await api().put(`/api/payment/confirm-payment/${next.paymentId}`, {
    token: renterNow.token,
    body: {
      paymentIntentId: intentIdOf(next.clientSecret),
      amount: next.amount,
      userId: renterNow.id,
    },
  });
  await waitFor('a new booking', async () => (await codesOf(renterNow)).includes(next.codes[0]));
  await waitFor('each booking to have its notice', async () => {
    const wrong = await violations();
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  });
  expect(await noticesOf(ownerNow, 'tool-booked')).not.toEqual([]);
  // Refund this charge: other journeys check the first marketplace, which uses the same Stripe but has no such payment.
  await stripe().refunds.create({ payment_intent: intentIdOf(next.clientSecret) });
});
