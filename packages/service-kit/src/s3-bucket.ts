import { createHash } from 'node:crypto';
import { inSpan } from './tracing.ts';

/** The server is unreachable or rejected the request. The message contains no secret. */
export class S3Error extends Error {
  /** S3's error code, such as `AccessDenied`, or a network error, such as `ECONNREFUSED`. */
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

/**
 * The objects under one path of a bucket. Every function throws an S3Error if the server is unreachable or rejects.
 */
export interface Bucket {
  /** Rejects unless the bucket exists and can be listed. */
  check(): Promise<void>;
  get(name: string): Promise<Response | undefined>;
  head(name: string, signal?: AbortSignal): Promise<Headers | undefined>;
  put(name: string, content: Buffer, headers?: Record<string, string>): Promise<void>;
  /** A no-op if the object does not exist. */
  delete(name: string, signal?: AbortSignal): Promise<void>;
  /** Lists objects by prefix, a thousand per request. */
  list(prefix: string): AsyncGenerator<S3Object>;
}

/** How long to wait for a reply; for a picture, for its start. Short, because a visitor or a queue of uploads is waiting. */
const answerWithinMs = 5_000;
/** How long a picture's bytes may take: enough for half a megabyte on a slow connection. */
const wholeWithinMs = 60_000;
/** The characters allowed in a path: with others, some servers compute a different signature. */
const plainPath = /^(\/[\w.-]+)+\/?$/;

/** True for `https://<key>:<secret>@<host>/<bucket>`, with or without a path in the bucket. */
export const isBucketUrl = (text: string): boolean => {
  const { username, password, pathname } = URL.parse(text) ?? {};
  if (!username || !password || !plainPath.test(pathname ?? '')) return false;
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    // A `%` that is not a valid escape.
    return false;
  }
};

interface Init {
  body?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** True for a picture, whose bytes the caller reads at its own speed. */
  isStreamed?: boolean;
  signal?: AbortSignal | undefined;
}

/** @param url see `isBucketUrl`; add `?region=` if the server's name does not contain it */
export const openBucket = async (url: string): Promise<Bucket> => {
  // Loaded on demand: most installations store pictures in a folder.
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
      // A signal passed to the Request itself did not abort a request without a reply.
      const options = { signal: ends, redirect: 'manual' } as const;
      const reply = await inSpan({ name: `${method} picture`, kind: 'client', attributes }, () =>
        fetch(request, options),
      );
      // The timeout includes the body, except for a picture.
      if (!isStreamed || !reply.ok) return new Response((await reply.text()) || null, reply);
      setTimeout(giveUp, wholeWithinMs).unref();
      return reply;
    } catch (error) {
      throw notReached(error);
    } finally {
      clearTimeout(timer);
    }
  };
  /** Retries once on 5xx: S3 is briefly overloaded now and then. */
  const ask = async (method: string, at: string, init: Init = {}): Promise<Response> => {
    const reply = await askOnce(method, at, init);
    if (reply.status < 500) return reply;
    return askOnce(method, at, init);
  };
  const requestObject = async (
    method: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<Response | undefined> => {
    const isStreamed = method === 'GET';
    const reply = await ask(method, `/${place}${name}`, { isStreamed, signal });
    if (reply.ok) return reply;
    const refusal = await refusalOf(method, reply);
    // A reply to HEAD has no body, so its 404 means that the object is missing.
    if (reply.status === 404 && refusal.code !== 'NoSuchBucket') return undefined;
    throw refusal;
  };
  const requestText = async (...request: Parameters<typeof ask>): Promise<string> => {
    const reply = await ask(...request);
    if (!reply.ok) throw await refusalOf(request[0], reply);
    return reply.text();
  };

  return {
    check: async () => void (await requestText('GET', '?list-type=2&max-keys=1')),
    get: (name) => requestObject('GET', name),
    head: async (name, signal) => (await requestObject('HEAD', name, signal))?.headers,
    async put(name, body, headers) {
      const hash = createHash('sha256').update(body).digest('hex');
      const all = { 'content-type': 'image/webp', 'x-amz-content-sha256': hash, ...headers };
      await requestText('PUT', `/${place}${name}`, { body: new Uint8Array(body), headers: all });
    },
    delete: async (name, signal) => void (await requestObject('DELETE', name, signal)),
    async *list(prefix) {
      for (let token = ''; ; ) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: place + prefix,
          ...(token && { 'continuation-token': token }),
        });
        const page = await requestText('GET', `?${query}`);
        for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield {
            name: textIn(object, 'Key').slice(place.length),
            bytes: Number(textIn(object, 'Size')),
            lastModifiedMs: Date.parse(textIn(object, 'LastModified')),
          };
        if (textIn(page, 'IsTruncated') !== 'true') return;
        token = textIn(page, 'NextContinuationToken');
        if (!token)
          throw new S3Error('The S3 server sent an incomplete list', 'NoContinuationToken');
      }
    },
  };
};

/** No unescaping: our object names and S3's tokens contain no escaped characters. */
const textIn = (xml: string, element: string): string =>
  new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(xml)?.[1] ?? '';

const notReached = (error: unknown): S3Error => {
  const { name, cause = error } = error as Error;
  // Use only a text: the code of a DOMException is a number.
  const { code: given } = cause as { code?: unknown };
  const code = typeof given === 'string' ? given : name;
  return new S3Error(`The S3 server does not answer: ${code}`, code, error);
};

const refusalOf = async (method: string, reply: Response): Promise<S3Error> => {
  const code = textIn(await reply.text(), 'Code') || `HTTP${reply.status}`;
  return new S3Error(`The S3 server answers ${method} with ${reply.status} ${code}`, code);
};
