import { createHash } from 'node:crypto';
import { inSpan } from './tracing.ts';

/** The server is away, or does not let us. Its message has no secret. */
export class S3Error extends Error {
  /** S3's own, such as `AccessDenied`, or of the way to it, such as `ECONNREFUSED`. */
  readonly code: string;
  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface S3Object {
  name: string;
  bytes: number;
  lastModifiedMs: number;
}

/** What is below one path of a bucket. Every function throws an S3Error where the server is away or refuses. */
export interface Bucket {
  /** Rejects unless the bucket is there and may be looked at. */
  check(): Promise<void>;
  get(name: string): Promise<Response | undefined>;
  head(name: string, signal?: AbortSignal): Promise<Headers | undefined>;
  put(name: string, content: Buffer, headers?: Record<string, string>): Promise<void>;
  /** Nothing is to be done about what is not there. */
  delete(name: string, signal?: AbortSignal): Promise<void>;
  /** Those whose names begin so, a thousand with each request. */
  list(prefix: string): AsyncGenerator<S3Object>;
}

/** What waits for an answer is a visitor, or an upload with others behind it. */
const answerWithinMs = 5_000;
/** A visitor on a slow line takes a picture of half a megabyte in less. */
const wholeWithinMs = 60_000;
/** Some servers' signatures of anything else differ. */
const plainPath = /^(\/[\w.-]+)+\/?$/;

/** True for `https://<key>:<secret>@<host>/<bucket>`, with or without a path in the bucket. */
export const isBucketUrl = (text: string): boolean => {
  const { username, password, pathname } = URL.parse(text) ?? {};
  if (!username || !password || !plainPath.test(pathname ?? '')) return false;
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    // A `%` that escapes nothing.
    return false;
  }
};

interface Init {
  body?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** The content is read by whoever asks, as slowly as they like. */
  isStreamed?: boolean;
  signal?: AbortSignal | undefined;
}

/** @param url as `isBucketUrl` wants it; with `?region=` where the server's name does not say it */
export const openBucket = async (url: string): Promise<Bucket> => {
  // Loaded here alone: most installations keep pictures in a folder.
  const { AwsClient } = await import('aws4fetch');
  const { origin, pathname, username, password, searchParams } = new URL(url);
  const region = searchParams.get('region');
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    ...(region && { region }),
  });
  const [, bucket, path = ''] = /^\/([^/]+)\/?(.*?)\/?$/.exec(pathname) ?? [];
  const place = path && `${path}/`;

  const askOnce = async (
    method: string,
    at: string,
    { isStreamed, signal, ...init }: Init,
  ): Promise<Response> => {
    const patience = new AbortController();
    const giveUp = () => patience.abort(new DOMException('No answer in time', 'TimeoutError'));
    const timer = setTimeout(giveUp, answerWithinMs);
    const attributes = { 'http.request.method': method };
    const ends = AbortSignal.any([patience.signal, ...(signal ? [signal] : [])]);
    try {
      const request = await client.sign(`${origin}/${bucket}${at}`, { ...init, method });
      // Given with the request itself, the signal did not end one that nobody answered.
      const options = { signal: ends, redirect: 'manual' } as const;
      const reply = await inSpan({ name: `${method} picture`, kind: 'client', attributes }, () =>
        fetch(request, options),
      );
      // Half an answer is none: only a picture may take longer.
      if (!isStreamed || !reply.ok) return new Response((await reply.text()) || null, reply);
      setTimeout(giveUp, wholeWithinMs).unref();
      return reply;
    } catch (error) {
      throw notReached(error);
    } finally {
      clearTimeout(timer);
    }
  };
  /** S3 is now and then too busy for a moment, and wants to be asked again. */
  const ask = async (method: string, at: string, init: Init = {}): Promise<Response> => {
    const reply = await askOnce(method, at, init);
    if (reply.status < 500) return reply;
    return askOnce(method, at, init);
  };
  const askFor = async (
    method: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<Response | undefined> => {
    const isStreamed = method === 'GET';
    const reply = await ask(method, `/${place}${name}`, { isStreamed, signal });
    if (reply.ok) return reply;
    const refusal = await refusalOf(method, reply);
    // Without a body nobody says what is missing, and that is the object.
    if (reply.status === 404 && refusal.code !== 'NoSuchBucket') return undefined;
    throw refusal;
  };
  const tell = async (...request: Parameters<typeof ask>): Promise<string> => {
    const reply = await ask(...request);
    if (!reply.ok) throw await refusalOf(request[0], reply);
    return reply.text();
  };

  return {
    check: async () => void (await tell('GET', '?list-type=2&max-keys=1')),
    get: (name) => askFor('GET', name),
    head: async (name, signal) => (await askFor('HEAD', name, signal))?.headers,
    async put(name, body, headers) {
      const hash = createHash('sha256').update(body).digest('hex');
      const all = { 'content-type': 'image/webp', 'x-amz-content-sha256': hash, ...headers };
      await tell('PUT', `/${place}${name}`, { body: new Uint8Array(body), headers: all });
    },
    delete: async (name, signal) => void (await askFor('DELETE', name, signal)),
    async *list(prefix) {
      for (let token = ''; ; ) {
        const query = new URLSearchParams({
          ...{ 'list-type': '2', prefix: place + prefix },
          ...(token && { 'continuation-token': token }),
        });
        const page = await tell('GET', `?${query}`);
        for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield {
            name: textIn(object, 'Key').slice(place.length),
            bytes: Number(textIn(object, 'Size')),
            lastModifiedMs: Date.parse(textIn(object, 'LastModified')),
          };
        if (textIn(page, 'IsTruncated') !== 'true') return;
        token = textIn(page, 'NextContinuationToken');
        if (!token) throw new S3Error('The S3 server breaks off a list', 'NoContinuationToken');
      }
    },
  };
};

/** Nothing in it is escaped that we read: names are ours, and tokens are S3's. */
const textIn = (xml: string, element: string): string =>
  new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(xml)?.[1] ?? '';

const notReached = (error: unknown): S3Error => {
  const { name, cause = error } = error as Error;
  // A DOMException has a number.
  const { code: given } = cause as { code?: unknown };
  const code = typeof given === 'string' ? given : name;
  return new S3Error(`The S3 server does not answer: ${code}`, code, error);
};

const refusalOf = async (method: string, reply: Response): Promise<S3Error> => {
  const code = textIn(await reply.text(), 'Code') || `HTTP${reply.status}`;
  return new S3Error(`The S3 server answers ${method} with ${reply.status} ${code}`, code);
};
