import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerContext } from './home.ts';
import { isReachable } from './machine.mjs';
import { findMongoLocal, mongoLocalCommand } from './mongo-local.ts';
import { onPath } from './on-path.ts';
import { answers } from './ports.ts';

export interface MongoDb {
  /** Without a database's name. */
  url: string;
  choice: string;
}

type Engine = 'mongod' | 'mongo-local';

interface Found {
  engine: Engine;
  command: string;
  args: (dataFolder: string, port: number) => string[];
  origin: string;
}

const downloadVersion = '8.0.13';
const downloadHost = 'https://fastdl.mongodb.org';

/** The engine chosen first stays with its data folder: neither can read the other's files. */
export async function startMongoDb(context: ServerContext): Promise<MongoDb> {
  const given = process.env.MONGO_URL;
  if (given) return { url: given.replace(/\/$/, ''), choice: 'MONGO_URL' };
  const folder = join(context.home, 'mongodb');
  const engineFile = join(folder, 'engine');
  const chosen = existsSync(engineFile)
    ? (readFileSync(engineFile, 'utf8').trim() as Engine)
    : null;
  const found = await findEngine(context, chosen);
  const dataFolder = join(folder, found.engine);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  writeFileSync(engineFile, found.engine);
  const port = await context.ports.pick('mongodb');
  await context.supervisor.start({
    name: 'mongodb',
    command: found.command,
    args: found.args(dataFolder, port),
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    port,
    isReady: () => answers(port),
  });
  return { url: `mongodb://127.0.0.1:${port}`, choice: `${found.origin} on port ${port}` };
}

async function findEngine(context: ServerContext, chosen: Engine | null): Promise<Found> {
  if (chosen !== 'mongo-local') {
    const installed = onPath('mongod');
    if (installed) return realMongod(installed, 'mongod of this machine');
    const downloaded = await downloadMongod(context);
    if (downloaded) return realMongod(downloaded, `mongod ${downloadVersion}, downloaded`);
  }
  if (chosen !== 'mongod') {
    const local = await findMongoLocal(context);
    return {
      engine: 'mongo-local',
      command: local.java,
      args: (dataFolder, port) => mongoLocalCommand(local, dataFolder, port),
      origin: 'mongo-java-server on H2 (no mongod here, its download was refused)',
    };
  }
  throw new Error(
    'This data folder was made by mongod, which is neither on PATH nor can be downloaded now. ' +
      'Install MongoDB, or give the address of a server as MONGO_URL=mongodb://host:27017',
  );
}

function realMongod(command: string, origin: string): Found {
  return {
    engine: 'mongod',
    command,
    args: (dataFolder, port) => [
      ...['--dbpath', dataFolder, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'],
      '--nounixsocket',
    ],
    origin,
  };
}

/** Fetched once, by `mongodb-memory-server`, which gives up only after three slow tries: so ask the host first. */
async function downloadMongod(context: ServerContext): Promise<string | null> {
  const downloadDir = join(context.cache, 'mongodb');
  const present = existsSync(downloadDir) ? readdirSync(downloadDir) : [];
  if (!present.some((name) => name.startsWith('mongod')) && !(await isReachable(downloadHost))) {
    return null;
  }
  context.say(`MongoDB: fetching mongod ${downloadVersion}`);
  try {
    const { MongoBinary } = await import('mongodb-memory-server-core');
    return await MongoBinary.getPath({ version: downloadVersion, downloadDir });
  } catch {
    return null;
  }
}
