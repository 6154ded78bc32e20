import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stubServerOptions } from '@lendtools/testing/hangs-after';

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The raw body; a JSON body is also parsed into `json`. */
  text: string;
  json: Record<string, unknown>;
}

/** A handler returns a body, sent with status 200, or `[status, body]`. */
type Answer = object | [number, object];
export type Handler = (request: FakeRequest) => Answer | Promise<Answer>;
/** Keys such as `GET /api/all-rentals`; `:name` matches any one path segment. */
export type Handlers = Record<string, Handler>;

export function problem(status: number, code: string, detail: string): [number, object] {
  const errors = [{ msg: detail, path: '' }];
  return [status, { status, code, detail, message: detail, title: code, requestId: 'r', errors }];
}

function toPattern(key: string): RegExp {
  return new RegExp(`^${key.replaceAll(/:\w+/g, '[^/]+')}$`);
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fake');
  const isJson = incoming.headers['content-type']?.includes('json');
  return {
    method: incoming.method ?? 'GET',
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    text,
    json: isJson ? JSON.parse(text) : {},
  };
}

/** A real HTTP server with canned replies, which records its requests. */
export class FakeApi {
  readonly requests: FakeRequest[] = [];
  handlers: Handlers;
  readonly #server: Server;

  private constructor(handlers: Handlers) {
    this.handlers = handlers;
    this.#server = createServer(
      stubServerOptions,
      (incoming, outgoing) => void this.#answer(incoming, outgoing),
    );
  }

  static async start(handlers: Handlers): Promise<FakeApi> {
    const api = new FakeApi(handlers);
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests to one endpoint, oldest first: `calls('POST /api/login')`. */
  calls(key: string): FakeRequest[] {
    const pattern = toPattern(key);
    return this.requests.filter(({ method, path }) => pattern.test(`${method} ${path}`));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    this.requests.push(request);
    const requested = `${request.method} ${request.path}`;
    const handler = Object.entries(this.handlers).find(([key]) =>
      toPattern(key).test(requested),
    )?.[1];
    const answer = await (handler?.(request) ??
      problem(404, 'NOT_FOUND', `No answer to ${requested}`));
    const [status, body] = Array.isArray(answer) ? answer : [200, answer];
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
