import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type QueueName, routes } from '@lendtools/contracts';
import { brokerPasswords, freePort, manage, waitFor } from '@lendtools/testing';
import {
  intentTypes,
  outsideTypes,
} from '../../services/payments/src/stripe/stripe-event-types.ts';
import {
  addressOf,
  type DoctorWorld,
  keys,
  secret,
  startDoctorWorld,
  startServer,
  webhookSecret,
} from './doctor-world.ts';
import { examine } from './examine.ts';
import type { Finding, Subject } from './finding.ts';

const queue: QueueName = 'bookings.sync-people';

let world: DoctorWorld;
let { broker, consumers, pool, subjects } = {} as DoctorWorld;
beforeAll(async () => {
  world = await startDoctorWorld();
  ({ broker, consumers, pool, subjects } = world);
});
afterAll(() => world.stop());

const repairs: (() => unknown)[] = [];
afterEach(async () => {
  for (const repair of repairs.splice(0)) await repair();
});

function changed(name: Subject['name'], env: NodeJS.Dict<string>): Subject[] {
  return subjects
    .filter((each) => each.name === name)
    .map((each) => ({ name, env: { ...each.env, ...env } }));
}

async function changedAtStripe(endpoints: object[]): Promise<Subject[]> {
  const stripe = await startServer(({ url }, response) => {
    const isRequested = url?.startsWith('/v1/webhook_endpoints');
    const data = endpoints.map((each) => ({
      url: `http://any${routes.paymentWebhook.path}`,
      ...each,
    }));
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ object: 'list', has_more: false, data: isRequested ? data : [] }),
    );
  });
  repairs.push(() => stripe.close());
  const env = { STRIPE_API_BASE: addressOf(stripe), STRIPE_CONNECT_WEBHOOK_SECRET: '' };
  return changed('payments', env);
}

function wrongOf(findings: Finding[]): string[] {
  return findings.filter(({ isFine }) => !isFine).map(({ about, says }) => `${about}: ${says}`);
}

describe('doctor', () => {
  it('finds no problem in a healthy system, and lists every check', async () => {
    const findings = await examine(subjects);

    expect(wrongOf(findings)).toEqual([]);
    const looked = findings.map(({ about, check }) => `${about} ${check}`);
    expect(looked).toEqual(
      expect.arrayContaining([
        'bookings settings',
        'bookings database',
        'bookings events',
        'bookings services',
        'bookings internal secret',
        'payments money',
        'payments Stripe',
        'payments pictures',
        'payments webhook',
        'payments webhook at Stripe',
        'payments Connect webhook at Stripe',
        'payments own payouts at Stripe',
        'notifications database',
        'notifications mail',
        'broker broker',
      ]),
    );
  });

  it.each<[string, () => Promise<Subject[]> | Subject[], string[]]>([
    [
      'a setting that is missing, and one that is malformed',
      () => changed('bookings', { INTERNAL_SECRET: '', PURGE_INTERVAL_MINUTES: 'soon' }),
      [
        'bookings: PURGE_INTERVAL_MINUTES: Invalid input: expected number, received NaN',
        'bookings: INTERNAL_SECRET: is missing',
      ],
    ],
    [
      'a database that is away',
      async () =>
        changed('bookings', { DATABASE_URL: `postgres://u:pw@127.0.0.1:${await freePort()}/b` }),
      [
        expect.stringMatching(
          /^bookings: PostgreSQL at 127.0.0.1:\d+\/b does not answer$/,
        ) as never,
      ],
    ],
    [
      'a MongoDB that is away',
      async () =>
        changed('notifications', { MONGO_URL: `mongodb://u:pw@127.0.0.1:${await freePort()}/n` }),
      [expect.stringMatching(/^notifications: MongoDB at 127.0.0.1:\d+\/n /) as never],
    ],
    [
      'a migration that is not applied',
      async () => {
        const at = ['service/0001_bookings.sql'];
        await pool.query('DELETE FROM schema_migrations WHERE name = $1', at);
        repairs.push(() => pool.query('INSERT INTO schema_migrations (name) VALUES ($1)', at));
        return changed('bookings', {});
      },
      [
        expect.stringMatching(
          /^bookings: 1 of \d+ migrations are not applied, the first is service\/0001_bookings.sql$/,
        ) as never,
      ],
    ],
    [
      'an index that is invalid',
      async () => {
        await pool.query(`CREATE INDEX half_made ON holds (id);
          UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'half_made'::regclass`);
        repairs.push(() => pool.query('DROP INDEX half_made'));
        return changed('bookings', {});
      },
      ['bookings: the index half_made is invalid: no query uses it'],
    ],
    [
      'an event that was not published',
      async () => {
        await pool.query(
          `INSERT INTO outbox_messages (id, type, aggregate_id, version, envelope, created_at)
           VALUES ($1, 'BookingHeld', 'a', 1, '{}', now() - interval '90 s')`,
          [randomUUID()],
        );
        repairs.push(() => pool.query('DELETE FROM outbox_messages'));
        return changed('bookings', {});
      },
      [expect.stringMatching(/^bookings: an event has waited in the outbox for 9\d s$/) as never],
    ],
    [
      'a job that has stopped',
      async () => {
        await pool.query(
          `INSERT INTO jobs (name, every_seconds, completed_at) VALUES ('remind-parties', 1, now() - interval '25 minutes')`,
        );
        repairs.push(() => pool.query('DELETE FROM jobs'));
        return changed('bookings', {});
      },
      ['bookings: the job remind-parties has not completed a pass for 25 minutes'],
    ],
    [
      'a task that no replica runs',
      async () => {
        await pool.query(
          `INSERT INTO jobs (name, every_seconds) VALUES ('expire-hold', 0);
           SELECT graphile_worker.add_job('expire-hold', run_at => now() - interval '25 minutes', job_key => 'expire-hold:a')`,
        );
        repairs.push(() =>
          pool.query(`DELETE FROM jobs; SELECT graphile_worker.remove_job('expire-hold:a')`),
        );
        return changed('bookings', {});
      },
      ['bookings: a task of expire-hold has been due for 25 minutes'],
    ],
    [
      'rows on which a job fails',
      async () => {
        await pool.query(
          `INSERT INTO jobs (name, every_seconds) VALUES ('expire-hold', 1);
           INSERT INTO failed_rows (job, row_id, retry_at, error) VALUES ('expire-hold', 'a', now(), 'A bad row')`,
        );
        repairs.push(() => pool.query('DELETE FROM jobs; DELETE FROM failed_rows'));
        return changed('bookings', {});
      },
      ['bookings: the job expire-hold fails on 1 rows: A bad row'],
    ],
    [
      'a clock that is behind',
      async () => {
        const now = Date.now;
        Date.now = () => now() - 60_000;
        repairs.push(() => {
          Date.now = now;
        });
        return changed('payments', {});
      },
      [
        expect.stringMatching(
          /^payments: the clock of PostgreSQL is (59|60|61) s ahead of this machine's$/,
        ) as never,
      ],
    ],
    [
      'a password that the broker rejects',
      () => {
        const url = new URL(world.brokerUrlOf('bookings'));
        url.password = 'wrong-password';
        return changed('bookings', { AMQP_URL: url.toString() });
      },
      [
        expect.stringMatching(
          /^bookings: RabbitMQ at .* rejects the user or the password$/,
        ) as never,
      ],
    ],
    [
      'a user with rights to everything',
      async () => {
        const at = `/permissions/${new URL(broker.url).pathname.slice(1)}/bookings`;
        await manage('PUT', at, { configure: '.*', write: '.*', read: '.*' });
        repairs.push(() =>
          manage('PUT', at, {
            configure: '^bookings\\.',
            write: '^(bookings\\.|events\\.bookings$)',
            read: '^(bookings\\.|events$)',
          }),
        );
        return changed('broker', {});
      },
      ['broker: the user bookings has the wrong rights to exchanges and queues'],
    ],
    [
      'a missing binding',
      async () => {
        const channel = await consumers.createChannel();
        await channel.unbindQueue(queue, 'events', 'accounts.AccountUpdated');
        repairs.push(() => channel.bindQueue(queue, 'events', 'accounts.AccountUpdated'));
        return changed('broker', {});
      },
      [`broker: the binding of ${queue} to events for accounts.AccountUpdated is missing`],
    ],
    [
      'services with different internal secrets',
      () => changed('payments', { INTERNAL_SECRET: 'another-secret-of-32-characters-x' }),
      ['payments: bookings rejects INTERNAL_SECRET'],
    ],
    [
      'a service that does not answer, and a webhook URL that does not reach payments',
      async () => {
        const port = await freePort();
        return changed('payments', {
          BOOKINGS_URL: `http://127.0.0.1:${port}`,
          // The URL of the Stripe sandbox, a server that is not the gateway.
          PUBLIC_URL: subjects.find(({ name }) => name === 'payments')?.env.STRIPE_API_BASE,
        });
      },
      [
        expect.stringMatching(/^payments: bookings at 127.0.0.1:\d+ does not answer$/) as never,
        expect.stringMatching(
          /^payments: http:.*\/webhook answers 404, but not from payments$/,
        ) as never,
      ],
    ],
    [
      'a key that Stripe rejects',
      () => changed('payments', { STRIPE_SECRET_KEY: 'sk_test_of_somebody_else' }),
      [
        expect.stringMatching(
          /^payments: the Stripe sandbox at .* rejects STRIPE_SECRET_KEY$/,
        ) as never,
      ],
    ],
    [
      'a webhook endpoint that is missing at Stripe',
      () => changedAtStripe([]),
      [expect.stringMatching(/^payments: .* has no webhook endpoint http:.*\/webhook$/) as never],
    ],
    [
      'a webhook endpoint that Stripe has disabled',
      () => changedAtStripe([{ status: 'disabled', enabled_events: ['*'] }]),
      [
        expect.stringMatching(
          /^payments: .* has disabled the webhook endpoint http:.*\/webhook$/,
        ) as never,
      ],
    ],
    [
      'a webhook endpoint without all required events',
      () =>
        changedAtStripe([
          { status: 'enabled', enabled_events: [...intentTypes, ...outsideTypes].slice(1) },
        ]),
      [
        expect.stringMatching(
          /^payments: .* does not send payment_intent.succeeded to http:.*\/webhook$/,
        ) as never,
      ],
    ],
    [
      'a mail server that is away',
      async () =>
        changed('notifications', { SMTP_URL: `smtp://u:pw@127.0.0.1:${await freePort()}` }),
      [
        expect.stringMatching(
          /^notifications: the mail server at 127.0.0.1:\d+ does not answer$/,
        ) as never,
      ],
    ],
    [
      'a missing folder of pictures',
      () => changed('bookings', { IMAGES_DIR: '/nowhere/images' }),
      ['bookings: /nowhere/images does not exist or is not writable'],
    ],
    [
      'pictures that were not moved to the bucket',
      async () => {
        const images = mkdtempSync(join(world.folder, 'images-'));
        writeFileSync(join(images, 'tools-1-640.webp'), '');
        mkdirSync(join(images, 'lost+found'));
        return changed('bookings', { IMAGES_DIR: images, S3_URL: world.bucket.url });
      },
      [expect.stringMatching(/^bookings: 1 files are still in .*, and new ones go to/) as never],
    ],
    [
      'a bucket that does not exist',
      () => changed('bookings', { S3_URL: world.bucket.url.replace('/test-', '/none-') }),
      [expect.stringMatching(/^bookings: the bucket .*, on list: does not exist$/) as never],
    ],
    [
      'a key that the S3 server rejects',
      () => changed('bookings', { S3_URL: world.bucket.url.replace(/:[^:@]+@/, ':hidden@') }),
      [expect.stringMatching(/on list: rejects the key or its secret$/) as never],
    ],
    [
      'a key that may only read',
      async () => {
        const readOnly = await startServer(({ method, url }, response) => {
          if (method === 'GET') response.writeHead(url?.includes('list-type') ? 200 : 404).end();
          else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
        });
        repairs.push(() => readOnly.close());
        const url = addressOf(readOnly).replace('//', '//key:hidden@');
        return changed('bookings', { S3_URL: `${url}/pictures` });
      },
      ['put', 'delete'].map(
        (right) => expect.stringMatching(`on ${right}: is not allowed$`) as never,
      ),
    ],
    [
      'an S3 server that is broken',
      async () => {
        const broken = await startServer((_request, response) => response.writeHead(502).end());
        repairs.push(() => broken.close());
        const url = addressOf(broken).replace('//', '//key:hidden@');
        return changed('bookings', { S3_URL: `${url}/pictures` });
      },
      [expect.stringMatching(/on list: fails: The S3 server answers GET with 502/) as never],
    ],
    [
      'an S3 server that accepts connections but never answers',
      async () => {
        const silent = await startServer(() => {});
        repairs.push(() => {
          silent.closeAllConnections();
          silent.close();
        });
        const url = addressOf(silent).replace('//', '//key:hidden@');
        return changed('bookings', { S3_URL: `${url}/pictures` });
      },
      [expect.stringMatching(/on list: does not answer in time$/) as never],
    ],
    [
      'an S3 server that is away',
      async () =>
        changed('bookings', { S3_URL: `http://a:hidden@127.0.0.1:${await freePort()}/pictures` }),
      [expect.stringMatching(/on list: does not answer$/) as never],
    ],
  ])('reports a fault: %s', async (_fault, plant, found) => {
    expect(wrongOf(await examine(await plant()))).toEqual(found);
  });

  it('gives a remedy for each finding and shows no secret', async () => {
    const wrong = subjects.flatMap(({ name, env }) =>
      changed(name, {
        AMQP_DECLARES: 'nothing',
        SMTP_URL: env.SMTP_URL && 'smtp://u:hidden@[::1]:9',
      }),
    );

    const findings = await examine(wrong);

    expect(findings.filter(({ isFine, todo }) => !isFine && !todo)).toEqual([]);
    const said = JSON.stringify(findings);
    const hidden = [
      secret,
      keys.secretKey,
      webhookSecret,
      'hidden',
      ...Object.values(brokerPasswords),
    ];
    expect(hidden.filter((each) => said.includes(each))).toEqual([]);
  });
});

describe('npm run doctor', () => {
  const run = async (args: string[], env: NodeJS.Dict<string> = {}) => {
    const command = join(import.meta.dirname, 'doctor-command.ts');
    const child = spawn(process.execPath, [command, ...args], { env });
    const [out, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { out, status };
  };

  it('exits with 0 if the doctor finds no problem, and prints JSON for scripts', async () => {
    const { env = {} } = subjects.find(({ name }) => name === 'notifications') ?? {};

    const { out, status } = await run(['--of', 'notifications', '--json'], env);

    expect(status).toBe(0);
    expect(JSON.parse(out)[0]).toEqual({
      about: 'notifications',
      check: 'settings',
      isFine: true,
      says: 'complete',
    });
  });

  it('exits with 1 and prints text if the doctor finds a problem, and exits with 2 for an unknown name', async () => {
    const { env = {} } = subjects.find(({ name }) => name === 'payments') ?? {};

    const wrong = await run(['--of', 'payments'], { ...env, STRIPE_PUBLISHABLE_KEY: '' });
    const nobody = await run(['--of', 'somebody']);

    expect(wrong.status).toBe(1);
    expect(wrong.out).toMatch(/^WRONG {2}payments +settings +STRIPE_PUBLISHABLE_KEY: is missing$/m);
    expect(wrong.out).toMatch(/^ok {5}payments +Stripe/m);
    expect(nobody.status).toBe(2);
  });
});

// Must run last, because it deletes a queue that the other tests need.
describe('doctor', () => {
  it('reports a dead letter, a missing queue, and a queue without a consumer', async () => {
    await broker.sendRaw(`${queue}.dead` as QueueName, 'nonsense');
    const channel = await consumers.createChannel();
    await channel.deleteQueue('bookings.sync-tools');
    await waitFor('the dead letter to be counted', async () => {
      const { messageCount } = await channel.checkQueue(`${queue}.dead`);
      return messageCount === 1;
    });
    await consumers.close();

    const found = wrongOf(await examine(changed('bookings', {})));

    expect(found).toContain(
      'bookings: the queue bookings.sync-tools is missing: events for it wait in their outboxes',
    );
    expect(found).toContain(`bookings: ${queue} has no consumer, and 0 events wait in it`);
    expect(found).toContain(`bookings: 1 dead letters of ${queue}`);
  });
});
