import { readFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@lendtools/testing';
import mongoose from 'mongoose';
import pg from 'pg';

/** The parts of `run.json` that tests read, as `infra/local/run-file.ts` writes it. */
export interface Marketplace {
  site: string;
  mail: { web: string; smtp: string };
  broker: { amqp: string; services: Record<string, string> };
  databases: Record<string, string>;
  stripe: { apiBase: string; secretKey: string; publishableKey: string; webhookSecret: string };
  logins: { role: string; email: string; password: string }[];
  processes: { name: string; replica: number; pid: number; port: number }[];
}

/** The marketplace that the tests ask. */
export const runFile = (): string => process.env.TEST_RUN_FILE ?? '.local/run.json';

/** What runs now; read anew each time, because a process that died has another pid afterwards. */
export const marketplace = (): Marketplace => JSON.parse(readFileSync(runFile(), 'utf8'));

/** Where each process has its log. */
export const logsFolder = (): string => path.join(path.dirname(runFile()), 'logs');

/** Rows of a service's database, for checks that the API can't make. */
export const query = async <T extends pg.QueryResultRow>(
  service: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> => {
  const client = new pg.Client({ connectionString: marketplace().databases[service] as string });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
};

/** Work on a service's MongoDB database. */
export const mongo = async <T>(
  service: string,
  work: (db: mongoose.Connection) => Promise<T>,
): Promise<T> => {
  const connection = await mongoose
    .createConnection(marketplace().databases[service] as string)
    .asPromise();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
};

const signal = (name: string, kind: NodeJS.Signals): void => {
  const processes = marketplace().processes.filter((each) => each.name === name);
  if (processes.length === 0) throw new Error(`No ${name} runs`);
  for (const { pid } of processes) process.kill(pid, kind);
};

/** Ends a process, and its replicas, without a word; the supervisor starts it again. */
export const killHard = (name: string): void => signal(name, 'SIGKILL');

/** Stops a process in its tracks for as long as the work takes. */
export const whileFrozen = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  signal(name, 'SIGSTOP');
  try {
    return await work();
  } finally {
    signal(name, 'SIGCONT');
  }
};

export interface Mail {
  subject: string;
  to: { address: string }[];
  text: string;
  html: string;
}

/** The mails to an address that the catcher holds, oldest first. */
export const mailsTo = async (address: string): Promise<Mail[]> => {
  const url = new URL(`${marketplace().mail.web}/email`);
  url.searchParams.set('to.address', address.toLowerCase());
  return (await (await fetch(url)).json()) as Mail[];
};

/** The token in the newest link to a page that was mailed to an address, once there is one. */
export const mailedToken = (
  address: string,
  page: 'reset-password' | 'confirm-email',
): Promise<string> =>
  waitFor(`a link for ${address}`, async () => {
    const texts = (await mailsTo(address)).map(({ text }) => text);
    // Mails may overtake each other: the welcome, which has a link as well, may come last.
    return texts
      .map((text) => new RegExp(`/${page}\\?token=([\\w-]+)`).exec(text)?.[1])
      .findLast(Boolean);
  });
