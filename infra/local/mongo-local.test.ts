import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import mongoose from 'mongoose';
import { mongoLocalCommand } from './mongo-local.ts';
import { Ports } from './ports.ts';

const jars = new URL('../mongo-local/lib/.complete', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'mongo-local-'));
let server: ChildProcess | undefined;

const start = async () => {
  const port = await new Ports(folder).pick('mongodb');
  server = spawn('java', mongoLocalCommand({ java: 'java' }, folder, port), { stdio: 'ignore' });
  const url = `mongodb://127.0.0.1:${port}/test`;
  const connection = await waitFor('the stand-in', () =>
    mongoose
      .createConnection(url, { serverSelectionTimeoutMS: 500 })
      .asPromise()
      .catch(() => false as const),
  );
  return { connection, entries: connection.collection<{ _id: string; n: number }>('entries') };
};

afterEach(() => {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe('mongo-local', () => {
  it('has what it acknowledged after a kill, and nothing twice, however many write', async () => {
    // A machine with a mongod of its own has no stand-in.
    if (!existsSync(jars)) return;
    const { connection, entries } = await start();
    await entries.createIndex({ n: 1 }, { unique: true });
    const acknowledged: number[] = [];
    let next = 0;
    const write = async (): Promise<void> => {
      for (;;) {
        const n = next++;
        await entries.insertOne({ _id: `entry ${n}`, n });
        acknowledged.push(n);
        if (acknowledged.length === 300) server?.kill('SIGKILL');
      }
    };
    const writers = Array.from({ length: 8 }, () => write().catch(() => {}));
    await once(server as ChildProcess, 'exit');
    await connection.close(true);
    await Promise.all(writers);

    const again = await start();
    const kept = await again.entries.find().toArray();
    const found = new Set(kept.map(({ n }) => n));
    const twice = await again.entries.insertOne({ _id: 'another', n: 0 }).catch((e) => e.code);
    await again.connection.close();

    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    expect(acknowledged.filter((n) => !found.has(n))).toEqual([]);
    expect(twice).toBe(11_000);
  });
});
