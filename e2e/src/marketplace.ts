import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runTasksNow, schedule } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { testTimeoutMs } from '@lendtools/testing/hangs-after';
import mongoose from 'mongoose';
import pg from 'pg';

export interface Marketplace {
  site: string;
  mail: { web: string; smtp: string };
  broker: { amqp: string; services: Record<string, string> };
  databases: Record<string, string>;
  stripe: {
    apiBase: string;
    secretKey: string;
    publishableKey: string;
    webhookSecret: string;
    connectWebhookSecret: string;
  };
  logins: { role: string; email: string; password: string }[];
  processes: { name: string; replica: number; pid: number; port: number }[];
}

export const runFile = (): string => process.env.TEST_RUN_FILE ?? '.local/run.json';

/** A restarted process has another pid, so `run.json` is read at each call. */
export const marketplace = (): Marketplace => JSON.parse(readFileSync(runFile(), 'utf8'));

export const logsFolder = (): string => path.join(path.dirname(runFile()), 'logs');

const withDatabase = async <T>(
  service: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: marketplace().databases[service] as string });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

export const query = <T extends pg.QueryResultRow>(
  service: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> =>
  withDatabase(service, async (client) => (await client.query<T>(sql, values)).rows);

export const moveInTime = async (
  service: string,
  sql: string,
  values: unknown[],
): Promise<void> => {
  await query(service, sql, values);
  await withDatabase(service, runTasksNow);
};

/** Runs the scheduled task of one object now. */
export const runTask = (service: string, task: string, id: string): Promise<void> =>
  withDatabase(service, (client) => schedule(client, task, id));

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
  if (processes.length === 0) throw new Error(`No process of ${name} is running`);
  for (const { pid } of processes) process.kill(pid, kind);
};

export const killHard = (name: string): void => signal(name, 'SIGKILL');

/** Resumes the process when the work ends or the test times out, because later journeys need it. */
export const whileFrozen = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const thaw = () => signal(name, 'SIGCONT');
  signal(name, 'SIGSTOP');
  const timer = setTimeout(thaw, testTimeoutMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    thaw();
  }
};

export interface Mail {
  subject: string;
  to: { address: string }[];
  text: string;
  html: string;
  attachments: { fileName: string }[] | null;
}

export const mailsTo = async (address: string): Promise<Mail[]> => {
  const url = new URL(`${marketplace().mail.web}/email`);
  url.searchParams.set('to.address', address.toLowerCase());
  return (await (await fetch(url)).json()) as Mail[];
};

export const mailedToken = (
  address: string,
  page: 'reset-password' | 'confirm-email',
): Promise<string> =>
  waitFor(`a link for ${address}`, async () => {
    const texts = (await mailsTo(address)).map(({ text }) => text);
    // Search all emails: they may arrive out of order, and the newest may have a link to another page.
    return texts
      .map((text) => new RegExp(`/${page}\\?token=([\\w-]+)`).exec(text)?.[1])
      .findLast(Boolean);
  });
