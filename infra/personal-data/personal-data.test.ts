import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@lendtools/contracts';
import type { MongoRelay } from '@lendtools/event-bus';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase } from '@lendtools/testing';
import mongoose, { type Connection } from 'mongoose';
import pg from 'pg';
import { createBlockRepository } from '../../services/messaging/src/store/block-repository.ts';
import { createPeopleRepository as createMessagingPeople } from '../../services/messaging/src/store/people-repository.ts';
import { createReplyRepository } from '../../services/messaging/src/store/reply-repository.ts';
import { createThreadRepository } from '../../services/messaging/src/store/thread-repository.ts';
import { createAdminRepository } from '../../services/notifications/src/store/admin-repository.ts';
import { createBookingRepository } from '../../services/notifications/src/store/booking-repository.ts';
import { createEmailRepository } from '../../services/notifications/src/store/email-repository.ts';
import { createNoticeRepository } from '../../services/notifications/src/store/notice-repository.ts';
import { createPayoutAccountRepository } from '../../services/notifications/src/store/payout-account-repository.ts';
import { createPeopleRepository } from '../../services/notifications/src/store/people-repository.ts';
import { createPreferenceRepository } from '../../services/notifications/src/store/preference-repository.ts';
import { describeDownload, describePersonalData, wordsOf } from './describe-personal-data.ts';
import { storedData } from './personal-data.ts';
import { replaceTables, retentionFile } from './retention-file.ts';

/** Collections without a mongoose model. */
const withoutModel = ['published_events', 'question_counts', 'admin_acts', 'leases'];

async function readColumns(service: ServiceName): Promise<string[]> {
  const migrations = new URL(`../../services/${service}/migrations/`, import.meta.url);
  const database = await createPostgresDatabase(postgresMigrations(fileURLToPath(migrations)));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ field: string }>(
      `SELECT table_name || '.' || column_name AS field FROM information_schema.columns
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
    );
    return rows.map(({ field }) => field);
  } finally {
    await client.end();
    await database.drop();
  }
}

/** The fields in the schemas of a service's models. */
function readFields(register: (connection: Connection) => unknown): string[] {
  const connection = mongoose.createConnection();
  register(connection);
  return Object.values(connection.models).flatMap(({ collection, schema }) =>
    Object.keys(schema.paths).map((field) => `${collection.name}.${field}`),
  );
}

function classified(service: ServiceName, except: readonly string[] = []): string[] {
  return Object.entries(storedData[service])
    .filter(([table]) => !except.includes(table))
    .flatMap(([table, stored]) =>
      [...Object.values(stored.personal ?? {}).flatMap(wordsOf), ...wordsOf(stored.other)].map(
        (field) => `${table}.${field}`,
      ),
    );
}

const relay = {} as MongoRelay;

describe('the list of personal data', () => {
  it.each(['accounts', 'catalog', 'bookings', 'payments'] as const)(
    'classifies each column of %s once, as personal or not',
    async (service) => {
      expect(classified(service).sort()).toEqual((await readColumns(service)).sort());
    },
  );

  it('classifies each field of messaging once, as personal or not', () => {
    const stored = readFields((connection) => {
      createMessagingPeople(connection);
      createBlockRepository(connection);
      createThreadRepository(connection, { relay, masks: true });
      createReplyRepository(connection, { relay, limits: { aMinute: 1, aDay: 1 } });
    });

    expect(classified('messaging', withoutModel).sort()).toEqual(stored.sort());
  });

  it('classifies each field of notifications once, as personal or not', () => {
    const stored = readFields((connection) => {
      createPeopleRepository(connection);
      createAdminRepository(connection);
      createBookingRepository(connection);
      createPayoutAccountRepository(connection);
      const preferences = createPreferenceRepository(connection);
      createNoticeRepository(connection, { relay, preferences });
      createEmailRepository(connection);
    });

    expect(classified('notifications', withoutModel).sort()).toEqual(stored.sort());
  });

  it('is shown by docs/retention.md (npm run docs:personal-data writes the tables)', () => {
    const text = readFileSync(retentionFile, 'utf8');

    expect(text).toBe(replaceTables(text, [describePersonalData(), describeDownload()]));
  });
});
