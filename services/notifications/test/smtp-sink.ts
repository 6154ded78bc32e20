import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface SunkEmail {
  to: string[];
  raw: string;
  text: string;
  html: string;
  /** The attached iCalendar file; empty if there is none. */
  calendar: string;
  /** The other attached files. */
  files: { name: string; content: string }[];
  subject: string;
}

/** `reject` is the error code for the next recipient. */
export interface SmtpSink {
  url: string;
  received: SunkEmail[];
  connections: number;
  reject: number | undefined;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const decodePart = (raw: string, type: string): string => {
  const part = raw.split(/\r\n--/).find((each) => each.includes(`Content-Type: ${type}`)) ?? '';
  const body = part.slice(part.indexOf('\r\n\r\n') + 4);
  if (/Transfer-Encoding: base64/i.test(part)) return Buffer.from(body, 'base64').toString();
  if (!/Transfer-Encoding: quoted-printable/i.test(part)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
};

const decodeFiles = (raw: string): SunkEmail['files'] =>
  raw.split(/\r\n--/).flatMap((part) => {
    const [, name] = /Content-Disposition: attachment;\s+filename="?([^"\r\n]+)"?/.exec(part) ?? [];
    const body = part.slice(part.indexOf('\r\n\r\n') + 4);
    return name && name !== 'booking.ics'
      ? [{ name, content: Buffer.from(body, 'base64').toString() }]
      : [];
  });

const decodeSubject = (raw: string): string => {
  const [, subject = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw) ?? [];
  return subject
    .replace(/\r\n[ \t]/g, ' ')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, text) => Buffer.from(text, 'base64').toString())
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) =>
      decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%')),
    );
};

const serve = (sink: SmtpSink, socket: Socket): void => {
  let to: string[] = [];
  let data: string[] | undefined;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 sink');
  const lines = createInterface({ input: socket });
  // Ignore errors of the socket, such as a client that disconnects: readline forwards them.
  lines.on('error', () => {});
  lines.on('line', (line) => {
    if (data) {
      if (line !== '.') return void data.push(line.replace(/^\./, ''));
      const raw = data.join('\r\n');
      const text = decodePart(raw, 'text/plain');
      const html = decodePart(raw, 'text/html');
      const calendar = raw.includes('text/calendar') ? decodePart(raw, 'text/calendar') : '';
      const files = decodeFiles(raw);
      sink.received.push({ to, raw, text, html, calendar, files, subject: decodeSubject(raw) });
      data = undefined;
      to = [];
      return void say('250 kept');
    }
    const [, verb = ''] = /^(\w+)/.exec(line) ?? [];
    if (verb === 'RCPT' && sink.reject !== undefined) {
      say(`${sink.reject} no`);
      sink.reject = undefined;
    } else if (verb === 'RCPT') {
      to.push(/<(.*)>/.exec(line)?.[1] ?? '');
      say('250 ok');
    } else if (verb === 'DATA') {
      data = [];
      say('354 go on');
    } else if (verb === 'QUIT') socket.end('221 bye\r\n');
    else say('250 ok');
  });
  socket.on('error', () => {});
};

export const startSmtpSink = async (): Promise<SmtpSink> => {
  let server: Server | undefined;
  let port = 0;
  const sockets = new Set<Socket>();
  const sink: SmtpSink = {
    url: '',
    received: [],
    connections: 0,
    reject: undefined,
    async start() {
      server = createServer((socket) => {
        sockets.add(socket);
        sink.connections++;
        serve(sink, socket);
      });
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
      sink.url = `smtp://127.0.0.1:${port}`;
    },
    async stop() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  await sink.start();
  return sink;
};
