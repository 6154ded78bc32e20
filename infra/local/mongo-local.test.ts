import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import mongoose from 'mongoose';
import { mongoLocalCommand } from './mongo-local.ts';
import { Ports } from './ports.ts';

const jars = new URL('../mongo-local/lib/.complete', import.meta.url);
let folder = '';
let server: ChildProcess | undefined;

async function start() {
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
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mongo-local-'));
});

afterEach(() => {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe('mongo-local', () => {
  it('keeps every acknowledged write exactly once after a kill, with concurrent writers', async () => {
    // Skip this test on machines with mongod, where the jars of mongo-local are not fetched.
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

  it('finds updated documents by the first field of an index, also after a restart', async () => {
    if (!existsSync(jars)) return;
    const { connection } = await start();
    const letters = connection.collection<Letter>('letters');
    await letters.createIndexes([
      { key: { to: 1, n: -1 } },
      { key: { 'pending.id': 1 }, sparse: true },
    ]);
    await letters.insertMany(
      ['Ann', 'Ann', 'Bob', 'Ann', 'Cy', 'Cy'].map((to, n) => ({
        _id: `letter ${n}`,
        to,
        n,
        pending: n < 3 ? [{ id: `event ${n}` }] : [],
      })),
    );
    await letters.updateOne({ _id: 'letter 1', n: 1 }, { $set: { to: 'Bob' } });
    await letters.updateMany({ to: 'Bob' }, { $pull: { pending: { id: 'event 1' } } });
    await letters.findOneAndUpdate({ to: 'Cy' }, { $unset: { to: 1 } }, { sort: { n: -1 } });
    await letters.deleteOne({ _id: 'letter 3', to: 'Ann' });
    const ask = async (all: typeof letters) => ({
      ann: await found(all.find({ to: 'Ann' })),
      bob: await found(all.find({ to: 'Bob', n: { $gt: 0 } }).sort({ to: 1, n: -1 })),
      cy: await found(all.find({ to: 'Cy' })),
      nobody: await found(all.find({ to: null as never })),
      some: await found(all.find({ to: { $gt: 'Ann' } })),
      waiting: await found(all.find({ 'pending.id': { $exists: true } })),
      one: await found(all.find({ _id: 'letter 0', to: 'Bob' })),
    });
    const before = await ask(letters);
    await connection.close();
    server?.kill('SIGKILL');
    await once(server as ChildProcess, 'exit');

    const again = await start();
    const after = await ask(again.connection.collection<Letter>('letters'));
    await again.connection.close();

    const expected = { ann: [0], bob: [2, 1], cy: [4], nobody: [5], some: [1, 2, 4] };
    expect(before).toEqual({ ...expected, waiting: [0, 2], one: [] });
    expect(after).toEqual(before);
  });
});

interface Letter {
  _id: string;
  to?: string;
  n: number;
  pending: { id: string }[];
}

async function found(letters: { toArray(): Promise<Letter[]> }): Promise<number[]> {
  return (await letters.toArray()).map(({ n }) => n);
}
