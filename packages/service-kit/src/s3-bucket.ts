import { createHash } from 'node:crypto';
import { inSpan } from './tracing.ts';

/** The server is unreachable or rejected the request. The message contains no secret. */
export class S3Error extends Error {
  /** S3's error code such as `AccessDenied`, or a network error such as `ECONNREFUSED`. */
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

/** The objects under one path of a bucket. Every function throws an S3Error if the server is unreachable or rejects. */
export interface Bucket {
  check(): Promise<void>;
  get(name: string): Promise<Response | undefined>;
  head(name: string, signal?: AbortSignal): Promise<Headers | undefined>;
  put(name: string, content: Buffer, headers?: Record<string, string>): Promise<void>;
  delete(name: string, signal?: AbortSignal): Promise<void>;
  list(prefix: string): AsyncGenerator<S3Object>;
}

/** Visitors and uploads wait for this reply, so the time is short. For a picture, it is the time to the first byte. */
const answerWithinMs = 5_000;
/** A picture's bytes may take this long: enough for half a megabyte on a slow connection. */
const wholeWithinMs = 60_000;
/** Only these characters are allowed, because some servers compute a different signature for paths with others. */
const plainPath = /^(\/[\w.-]+)+\/?$/;

/** Accepts `https://<key>:<secret>@<host>/<bucket>`, with or without a path in the bucket. */
export const isBucketUrl = (text: string): boolean => {
  const { username, password, pathname } = URL.parse(text) ?? {};
  if (!username || !password || !plainPath.test(pathname ?? '')) return false;
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    // The address contains a `%` that is not a valid escape.
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
  const { pathname } = new URL(url);
  const [, bucket, path = ''] = /^\/([^/]+)\/?(.*?)\/?$/.exec(pathname) ?? [];
  const place = path && `${path}/`;
  const { send, sendForText } = await openClient(url, `/${bucket}`);

  const requestObject = async (
    method: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<Response | undefined> => {
    const isStreamed = method === 'GET';
    const reply = await send(method, `/${place}${name}`, { isStreamed, signal });
    if (reply.ok) return reply;
    const rejection = await rejectionOf(method, reply);
    // A reply to HEAD has no body, so a 404 without an error code means that the object is missing.
    if (reply.status === 404 && rejection.code !== 'NoSuchBucket') return undefined;
    throw rejection;
  };

  return {
    check: async () => void (await sendForText('GET', '?list-type=2&max-keys=1')),
    get: (name) => requestObject('GET', name),
    head: async (name, signal) => (await requestObject('HEAD', name, signal))?.headers,
    async put(name, body, headers) {
      const hash = createHash('sha256').update(body).digest('hex');
      const all = { 'content-type': 'image/webp', 'x-amz-content-sha256': hash, ...headers };
      await sendForText('PUT', `/${place}${name}`, { body: new Uint8Array(body), headers: all });
    },
    delete: async (name, signal) => void (await requestObject('DELETE', name, signal)),
    async *list(prefix) {
      for (let token = ''; ; ) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: place + prefix,
          ...(token && { 'continuation-token': token }),
        });
        const page = await sendForText('GET', `?${query}`);
        for (const { name, ...object } of objectsIn(page))
          yield { name: name.slice(place.length), ...object };
        if (textIn(page, 'IsTruncated') !== 'true') return;
        token = textIn(page, 'NextContinuationToken');
        if (!token)
          throw new S3Error('The S3 server sent an incomplete list', 'NoContinuationToken');
      }
    },
  };
};

/** A client that signs requests to a server, for paths below `root`. */
const openClient = async (url: string, root: string) => {
  // Loaded on demand, because most installations store pictures in a folder.
  const { AwsClient } = await import('aws4fetch');
  const { origin, username, password, searchParams } = new URL(url);
  const region = searchParams.get('region');
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    service: 's3',
    ...(region && { region }),
  });

  const sendOnce = async (
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
      const request = await client.sign(`${origin}${root}${at}`, { ...init, method });
      // The signal is passed to `fetch`: inside the Request it did not abort a request that got no reply.
      const options = { signal: ends, redirect: 'manual' } as const;
      const reply = await inSpan({ name: `${method} picture`, kind: 'client', attributes }, () =>
        fetch(request, options),
      );
      // Read the body before the timer is cleared. A picture's body is streamed instead and has its own limit.
      if (!isStreamed || !reply.ok) return new Response((await reply.text()) || null, reply);
      setTimeout(giveUp, wholeWithinMs).unref();
      return reply;
    } catch (error) {
      throw notReached(error);
    } finally {
      clearTimeout(timer);
    }
  };
  /** Retries a 5xx once, because S3 is briefly overloaded now and then. */
  const send = async (method: string, at: string, init: Init = {}): Promise<Response> => {
    const reply = await sendOnce(method, at, init);
    if (reply.status < 500) return reply;
    return sendOnce(method, at, init);
  };
  const sendForText = async (method: string, at: string, init?: Init): Promise<string> => {
    const reply = await send(method, at, init);
    if (!reply.ok) throw await rejectionOf(method, reply);
    return reply.text();
  };
  return { send, sendForText };
};

/** The objects of a page of a list, with their whole names. */
const objectsIn = (page: string): S3Object[] =>
  [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object = '']) => ({
    name: textIn(object, 'Key'),
    bytes: Number(textIn(object, 'Size')),
    lastModifiedMs: Date.parse(textIn(object, 'LastModified')),
  }));

/** Returns an element's text. Does not unescape it: our object names and S3's tokens contain no escaped characters. */
const textIn = (xml: string, element: string): string =>
  new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(xml)?.[1] ?? '';

const notReached = (error: unknown): S3Error => {
  const { name, cause = error } = error as Error;
  // The code of a DOMException is a number, so it is not used.
  const { code: given } = cause as { code?: unknown };
  const code = typeof given === 'string' ? given : name;
  return new S3Error(`The S3 server does not answer: ${code}`, code, error);
};

const rejectionOf = async (method: string, reply: Response): Promise<S3Error> => {
  const code = textIn(await reply.text(), 'Code') || `HTTP${reply.status}`;
  return new S3Error(`The S3 server answers ${method} with ${reply.status} ${code}`, code);
};
