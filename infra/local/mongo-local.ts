import { join } from 'node:path';
import { projectRoot, type ServerContext } from './home.ts';
import { findJava, jarsOf } from './java.ts';
import { neededJava } from './prerequisites.mjs';

/** A Java server that stands in for MongoDB if nothing else is available. */
interface MongoLocal {
  java: string;
}

export async function findMongoLocal(context: ServerContext): Promise<MongoLocal> {
  const java = await findJava(context, {
    folder: 'mongo-local',
    need: 'MongoDB',
    name: 'mongo-java-server',
    otherwise:
      'MongoDB is needed and could not be downloaded. Either install MongoDB so that mongod is on ' +
      `PATH, or install Java ${neededJava} and Maven (apt install default-jre-headless maven), or give the ` +
      'address of a server as MONGO_URL=mongodb://host:27017',
  });
  return { java };
}

export function mongoLocalCommand(_local: MongoLocal, dataFolder: string, port: number): string[] {
  return [
    ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError'],
    ...['-cp', join(jarsOf('mongo-local'), '*')],
    ...[join(projectRoot, 'infra', 'mongo-local', 'MongoLocal.java')],
    ...[join(dataFolder, 'store.mv'), String(port)],
  ];
}
