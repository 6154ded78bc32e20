import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { containerProcess, imageOf } from './containers.ts';
import type { ServerContext } from './home.ts';
import { hasDocker, isReachable } from './machine.mjs';
import { findMongoLocal, mongoLocalCommand } from './mongo-local.ts';
import { onPath } from './on-path.ts';
import { answers } from './ports.ts';
import type { ProcessSpec } from './supervisor.ts';

export interface MongoDb {
  /** The URL has no database name. */
  url: string;
  choice: string;
}

interface Found {
  origin: string;
  start: Pick<ProcessSpec, 'command' | 'args'> & Partial<ProcessSpec>;
}

interface Place {
  dataFolder: string;
  port: number;
}

type Find = (context: ServerContext, place: Place) => Promise<Found | null>;

/** The engines are in order of preference. */
const engines = { mongod: findMongod, container: findContainer, 'mongo-local': findStandIn };
type Engine = keyof typeof engines;

const downloadVersion = '8.0.13';
const downloadHost = 'https://fastdl.mongodb.org';

export async function startMongoDb(context: ServerContext): Promise<MongoDb> {
  const given = process.env.MONGO_URL;
  if (given) return { url: given.replace(/\/$/, ''), choice: 'MONGO_URL' };
  const folder = join(context.data, 'mongodb');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await context.ports.pick('mongodb');
  const { origin, start } = await findEngine(context, folder, port);
  await context.supervisor.start({
    name: 'mongodb',
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    port,
    isReady: () => answers(port),
    ...start,
  });
  return { url: `mongodb://127.0.0.1:${port}`, choice: `${origin} on port ${port}` };
}

/** A data folder keeps the engine that created it, because no engine can read another's files. */
async function findEngine(context: ServerContext, folder: string, port: number): Promise<Found> {
  const engineFile = join(folder, 'engine');
  const chosen = existsSync(engineFile) ? readFileSync(engineFile, 'utf8').trim() : null;
  for (const [engine, find] of Object.entries(engines) as [Engine, Find][]) {
    if (chosen !== null && chosen !== engine) continue;
    const dataFolder = join(folder, engine);
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const found = await find(context, { dataFolder, port });
    if (!found) continue;
    writeFileSync(engineFile, engine);
    return found;
  }
  throw new Error(
    chosen === 'container'
      ? `MongoDB's data is in a container's volume. Start Docker, and make sure that ${imageOf('mongo')} is present or can be pulled.`
      : 'This data folder was created by mongod, which is neither on PATH nor can be downloaded now. ' +
          'Install MongoDB, or give the address of a server as MONGO_URL=mongodb://host:27017',
  );
}

async function findMongod(context: ServerContext, place: Place): Promise<Found | null> {
  const installed = onPath('mongod');
  const command = installed ?? (await downloadMongod(context));
  if (!command) return null;
  const { dataFolder, port } = place;
  const args = [
    ...['--dbpath', dataFolder, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'],
    '--nounixsocket',
  ];
  const origin = installed ? 'mongod of this machine' : `mongod ${downloadVersion}, downloaded`;
  return { origin, start: { command, args } };
}

async function findContainer(context: ServerContext, { port }: Place): Promise<Found | null> {
  if (!hasDocker()) return null;
  const image = imageOf('mongo');
  try {
    const start = await containerProcess(context, {
      name: 'mongodb',
      image,
      ports: [[port, 27_017]],
      dataFolder: '/data/db',
      env: {},
    });
    // Wait for a reply, because Docker accepts connections to the port before the server does.
    return { origin: `the container ${image}`, start: { ...start, isReady: () => replies(port) } };
  } catch (error) {
    context.say(`MongoDB: ${(error as Error).message}`);
    return null;
  }
}

async function findStandIn(context: ServerContext, place: Place): Promise<Found> {
  const local = await findMongoLocal(context);
  return {
    origin: 'mongo-java-server on H2 (mongod is missing and could not be downloaded)',
    start: { command: local.java, args: mongoLocalCommand(local, place.dataFolder, place.port) },
  };
}

async function replies(port: number): Promise<boolean> {
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const options = { serverSelectionTimeoutMS: 1000, autoIndex: false };
  const connection = await mongoose.createConnection(url, options).asPromise();
  await connection.close();
  return true;
}

/** A download fails only after three slow tries, so this first checks that the host can be reached. */
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
