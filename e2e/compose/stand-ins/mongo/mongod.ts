/**
 * Stands in for `mongod` where MongoDB is not available. It is mongo-java-server behind a proxy that adds users, roles
 * and a replica set of one.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Binary, deserialize, serialize } from 'bson';
import { Login, type Role, type User, Users } from './users.ts';

const { values: options } = parseArgs({
  options: {
    auth: { type: 'boolean', default: false },
    bind_ip: { type: 'string', default: '127.0.0.1' },
    bind_ip_all: { type: 'boolean', default: false },
    replSet: { type: 'string' },
    keyFile: { type: 'string' },
  },
});
const folder = '/data/db';
const serverPort = 27018;
const log = (msg: string, more = {}): void =>
  console.log(JSON.stringify({ t: new Date().toISOString(), msg, ...more }));

type Document = Record<string, unknown>;
const error = (code: number, codeName: string, errmsg: string): Document => ({
  ok: 0,
  errmsg,
  code,
  codeName,
});
const users = new Users(`${folder}/users.json`);

const replicaSetFile = `${folder}/replica-set.json`;
let replicaSet: { _id: string; members: { _id: number; host: string }[] } | undefined =
  options.replSet && existsSync(replicaSetFile)
    ? JSON.parse(readFileSync(replicaSetFile, 'utf8'))
    : undefined;

const membership = (): Document => {
  if (!options.replSet) return {};
  if (!replicaSet) {
    const role = { ismaster: false, isWritablePrimary: false, secondary: false };
    return { ...role, isreplicaset: true, info: 'Does not have a valid replica set config' };
  }
  const hosts = replicaSet.members.map(({ host }) => host);
  const role = { ismaster: true, isWritablePrimary: true, secondary: false };
  return {
    ...role,
    hosts,
    setName: replicaSet._id,
    setVersion: 1,
    primary: hosts[0],
    me: hosts[0],
  };
};

interface Connection {
  isLocal: boolean;
  login?: Login;
  user?: User;
}
interface Command {
  connection: Connection;
  db: string;
  name: string;
  body: Document;
}

const open = [
  ...['hello', 'ismaster', 'ping', 'buildInfo', 'saslStart', 'saslContinue', 'logout'],
  ...['endSessions', 'connectionStatus', 'getParameter'],
];
const readWrite = [
  ...['find', 'insert', 'update', 'delete', 'aggregate', 'count', 'distinct', 'findAndModify'],
  ...['getMore', 'killCursors', 'create', 'createIndexes', 'dropIndexes', 'drop'],
  ...['listCollections', 'listIndexes', 'collStats', 'dbStats', 'explain'],
];
const lower = (names: string[]): Set<string> => new Set(names.map((name) => name.toLowerCase()));
const openCommands = lower(open);
const readWriteCommands = lower(readWrite);

/** Returns the error for a forbidden command, or undefined. As in MongoDB, a local client may create the first user. */
const rejection = ({ connection, db, name }: Command): Document | undefined => {
  if (!options.auth || openCommands.has(name)) return;
  if (connection.isLocal && users.isEmpty()) return;
  if (!connection.user) return error(13, 'Unauthorized', `Command ${name} requires authentication`);
  // Roles may have been revoked since the login, so they are read again.
  const roles = users.find(connection.user.db, connection.user.user)?.roles ?? [];
  const mayDo = roles.some(
    ({ role, db: of }) =>
      role === 'root' || (role === 'readWrite' && of === db && readWriteCommands.has(name)),
  );
  if (!mayDo)
    return error(13, 'Unauthorized', `not authorized on ${db} to execute command ${name}`);
};

const failedLogin = (): Document => error(18, 'AuthenticationFailed', 'Authentication failed.');
const rolesOf = (roles: unknown, db: string): Role[] =>
  (roles as (string | Role)[]).map((role) => (typeof role === 'string' ? { role, db } : role));
const sameRole = (a: Role) => (b: Role) => a.role === b.role && a.db === b.db;
const textOf = (payload: unknown): string =>
  Buffer.from(payload instanceof Binary ? payload.buffer : (payload as Uint8Array)).toString();

/** Commands implemented here, because mongo-java-server lacks them. The keys are the names in lower case. */
const ownCommands: Record<string, (command: Command) => Document> = {
  saslstart({ connection, db, body }) {
    if (body.mechanism !== 'SCRAM-SHA-256')
      return error(334, 'MechanismUnavailable', `${body.mechanism} is not enabled`);
    const { skipEmptyExchange } = (body.options ?? {}) as { skipEmptyExchange?: boolean };
    const payload = textOf(body.payload);
    connection.login = Login.begin(users, { db, payload, mayEndEarly: skipEmptyExchange === true });
    if (!connection.login) return failedLogin();
    return reply(connection.login.challenge(), false);
  },
  saslcontinue({ connection, body }) {
    const answer = connection.login?.goOn(textOf(body.payload));
    if (!answer) return failedLogin();
    if (answer.user) connection.user = answer.user;
    return reply(answer.payload, answer.done);
  },
  logout({ connection }) {
    connection.user = undefined;
    return { ok: 1 };
  },
  connectionstatus({ connection: { user } }) {
    const authenticatedUsers = user ? [{ user: user.user, db: user.db }] : [];
    return { authInfo: { authenticatedUsers, authenticatedUserRoles: user?.roles ?? [] }, ok: 1 };
  },
  ping: () => ({ ok: 1 }),
  endsessions: () => ({ ok: 1 }),
  createuser({ db, body }) {
    const name = String(body.createUser);
    if (users.find(db, name)) return error(51003, 'Location51003', `"${name}" already exists`);
    users.create(db, name, String(body.pwd), rolesOf(body.roles, db));
    log('user created', { user: `${db}.${name}`, roles: body.roles });
    return { ok: 1 };
  },
  updateuser: ({ db, body }) =>
    changeUser(db, body.updateUser, () => ({
      password: body.pwd as string | undefined,
      roles: body.roles ? rolesOf(body.roles, db) : undefined,
    })),
  grantrolestouser: ({ db, body }) =>
    changeUser(db, body.grantRolesToUser, ({ roles }) => ({
      roles: [...roles, ...rolesOf(body.roles, db)],
    })),
  revokerolesfromuser: ({ db, body }) =>
    changeUser(db, body.revokeRolesFromUser, ({ roles }) => ({
      roles: roles.filter((role) => !rolesOf(body.roles, db).some(sameRole(role))),
    })),
  dropuser({ db, body }) {
    users.drop(db, String(body.dropUser));
    return { ok: 1 };
  },
  usersinfo: ({ db }) => ({
    users: users.of(db).map(({ user, roles }) => ({ _id: `${db}.${user}`, user, db, roles })),
    ok: 1,
  }),
  replsetinitiate({ body }) {
    if (!options.replSet) return error(76, 'NoReplicationEnabled', 'not running with --replSet');
    if (replicaSet) return error(23, 'AlreadyInitialized', 'already initialized');
    replicaSet = body.replSetInitiate as typeof replicaSet;
    writeFileSync(replicaSetFile, JSON.stringify(replicaSet));
    return { ok: 1 };
  },
  replsetgetstatus() {
    if (!options.replSet) return error(76, 'NoReplicationEnabled', 'not running with --replSet');
    if (!replicaSet) return error(94, 'NotYetInitialized', 'no replset config has been received');
    const members = replicaSet.members.map(({ _id, host }) => ({
      _id,
      name: host,
      health: 1,
      state: 1,
      stateStr: 'PRIMARY',
      self: true,
    }));
    return { set: replicaSet._id, myState: 1, members, ok: 1 };
  },
};

const reply = (payload: string, done: boolean): Document => ({
  conversationId: 1,
  done,
  payload: new Binary(Buffer.from(payload)),
  ok: 1,
});

const changeUser = (
  db: string,
  name: unknown,
  change: (user: User) => { password?: string; roles?: Role[] },
): Document => {
  const user = users.find(db, String(name));
  if (!user) return error(11, 'UserNotFound', `Could not find user "${name}" for db "${db}"`);
  users.update(db, user.user, change(user));
  return { ok: 1 };
};

const writes = lower(['insert', 'update', 'delete', 'findAndModify', 'create', 'createIndexes']);

const decide = (command: Command): { own: Document } | { added: Document } => {
  const rejected = rejection(command);
  if (rejected) {
    const { db, user } = command.connection.user ?? {};
    log('refused', { name: command.name, db: command.db, user: `${db}.${user}` });
    return { own: rejected };
  }
  if (options.replSet && !replicaSet && writes.has(command.name))
    return { own: error(10107, 'NotWritablePrimary', 'not primary') };
  const ownCommand = ownCommands[command.name];
  if (ownCommand) return { own: ownCommand(command) };
  if (command.name !== 'hello' && command.name !== 'ismaster') return { added: {} };
  const [, db = '', name = ''] =
    /^([^.]*)\.(.*)$/.exec(String(command.body.saslSupportedMechs)) ?? [];
  const isKnown = users.find(db, name) !== undefined;
  return { added: { ...membership(), ...(isKnown && { saslSupportedMechs: ['SCRAM-SHA-256'] }) } };
};

// In MongoDB's wire protocol, a message starts with its length, its id, the id it replies to, and its opcode.
const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;
let lastId = 1 << 20;

const encode = (kind: number, replyTo: number, document: Document): Buffer => {
  // After this header, OP_REPLY has flags, a cursor, a start and a document count; OP_MSG has flags and a section kind.
  const head = Buffer.alloc(kind === opReply ? 36 : 21);
  if (kind === opReply) head.writeInt32LE(1, 32);
  const body = serialize(document);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(lastId++, 4);
  head.writeInt32LE(replyTo, 8);
  head.writeInt32LE(kind, 12);
  return Buffer.concat([head, body]);
};

const documentAt = (message: Buffer, start: number): Document => {
  return deserialize(message.subarray(start, start + message.readInt32LE(start)));
};

const decode = (message: Buffer): { db: string; body: Document; replyKind: number } => {
  const kind = message.readInt32LE(12);
  if (kind === opMsg) {
    const body = documentAt(message, 21);
    return { db: String(body.$db), body, replyKind: opMsg };
  }
  if (kind !== opQuery) throw new Error(`A message of kind ${kind}`);
  const end = message.indexOf(0, 20);
  const db = message.toString('utf8', 20, end).replace(/\.\$cmd$/, '');
  return { db, body: documentAt(message, end + 9), replyKind: opReply };
};

const onMessage = (socket: Socket, listen: (message: Buffer) => void): void => {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      listen(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
};

const serve = (client: Socket): void => {
  const connection: Connection = { isLocal: /127\.0\.0\.1$/.test(client.remoteAddress ?? '') };
  const server = connect(serverPort, '127.0.0.1');
  const additions = new Map<number, { added: Document; replyKind: number }>();
  const end = () => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) {
    socket.setNoDelay(true);
    socket.on('error', end).on('close', end);
  }
  onMessage(client, (message) => {
    try {
      const { db, body, replyKind } = decode(message);
      const id = message.readInt32LE(4);
      const name = (Object.keys(body)[0] as string).toLowerCase();
      const decision = decide({ connection, db, name, body });
      if ('own' in decision) {
        client.write(encode(replyKind, id, decision.own));
        return;
      }
      if (Object.keys(decision.added).length > 0)
        additions.set(id, { added: decision.added, replyKind });
      server.write(message);
    } catch (problem) {
      log('a message that is not understood', { problem: String(problem) });
      end();
    }
  });
  onMessage(server, (message) => {
    const id = message.readInt32LE(8);
    const addition = additions.get(id);
    additions.delete(id);
    if (!addition) {
      client.write(message);
      return;
    }
    const start = message.readInt32LE(12) === opReply ? 36 : 21;
    const document = { ...documentAt(message, start), ...addition.added };
    client.write(encode(addition.replyKind, id, document));
  });
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

const mongoLocal = '/opt/mongo/mongo-local';
const java = spawn(
  'java',
  [
    ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError'],
    ...['-cp', `${mongoLocal}/lib/*`, `${mongoLocal}/MongoLocal.java`],
    ...[`${folder}/store.mv`, String(serverPort)],
  ],
  { stdio: 'inherit' },
);
let isStopping = false;
java.on('exit', (code) => process.exit(isStopping ? 0 : code || 1));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    isStopping = true;
    java.kill('SIGTERM');
  });
while (!(await answers(serverPort))) await delay(100);

// Create this file, because the image's entrypoint treats a data folder without it as new.
writeFileSync(`${folder}/WiredTiger`, 'a stand-in');
createServer(serve).listen(27017, options.bind_ip_all ? '::' : options.bind_ip, () =>
  log('Waiting for connections', { auth: options.auth, replicaSet: replicaSet?._id }),
);
