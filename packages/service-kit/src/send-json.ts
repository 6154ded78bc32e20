import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** A reply's JSON, made ready to send once, however many requests it answers. */
export class JsonText {
  readonly text: string;
  readonly body: Buffer;
  #tag: string | undefined;
  readonly #packed = new Map<string, Buffer>();

  constructor(text: string) {
    this.text = text;
    this.body = Buffer.from(text);
  }

  /** A validator: the same for the same text. */
  get tag(): string {
    this.#tag ??= `W/"${hash('sha256', this.body, 'base64url')}"`;
    return this.#tag;
  }

  packedAs(encoding: 'br' | 'gzip'): Buffer {
    const packed = this.#packed.get(encoding) ?? packers[encoding](this.body);
    this.#packed.set(encoding, packed);
    return packed;
  }
}

/** The window is 256 kB: to make the usual one of 4 MB takes as long again as to pack a page. */
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };

/** Fast levels: a page of 24 tools shrinks to an eighth in 0.06 ms, less than its bytes cost on their way through the gateway. */
const packers = {
  br: (body: Buffer) => brotliCompressSync(body, { params: brotliParams }),
  gzip: (body: Buffer) => gzipSync(body, { level: 1 }),
};

/**
 * Sends it. What everybody may know carries a validator: a browser or a CDN may keep it, asks each time whether it is still
 * right, and hears 304 without a body while it is: so nobody is shown a tool as it was before. A handler whose answer
 * hardly ever changes says in `Cache-Control` for how long nobody needs to ask.
 */
export const sendJson = (
  request: Request,
  response: Response,
  json: JsonText,
  { isPublic }: { isPublic: boolean },
): void => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (isPublic) {
    if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'public, no-cache');
    response.set('ETag', json.tag).vary('Authorization');
    if (isKept(request, json.tag)) {
      response.removeHeader('Content-Type');
      return void response.status(304).end();
    }
  }
  const body = request.method === 'GET' ? pack(request, response, json) : json.body;
  response.setHeader('Content-Length', body.length);
  response.end(body);
};

/** Express's `fresh` never says so to who sends `Cache-Control: no-cache`, as `fetch` does with a condition of its caller's. */
const isKept = (request: Request, tag: string): boolean =>
  (request.get('If-None-Match') ?? '').split(',').some((each) => ['*', tag].includes(each.trim()));

/** What fits into one packet would not be sent faster. */
const leastPacked = 1_024;

/** Only answers to GET: no such one holds a token or another secret, and so no length of one tells of it (BREACH). */
const pack = (request: Request, response: Response, json: JsonText): Buffer => {
  if (json.body.length < leastPacked) return json.body;
  response.vary('Accept-Encoding');
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding !== 'br' && encoding !== 'gzip') return json.body;
  response.setHeader('Content-Encoding', encoding);
  return json.packedAs(encoding);
};
