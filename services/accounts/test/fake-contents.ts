import type { IncomingMessage, ServerResponse } from 'node:http';

interface Content {
  title: string;
  content: string;
  authorId: string;
  bookingId: string | null;
}

/** A stub of the reviews of bookings and the messages of messaging: those in `byId`, and the tokens that read them. */
export const createFakeContents = () => {
  const byId = new Map<string, Content>();
  const tokens: string[] = [];
  return {
    byId,
    tokens,
    /** @returns false if the request is about something else */
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      const [, kind, id = ''] =
        /^\/internal\/(reviews|messages)\/([^/]+)$/.exec(request.url ?? '') ?? [];
      if (!kind) return false;
      tokens.push(request.headers.authorization ?? '');
      const content = byId.get(id);
      const problem = {
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        code: kind === 'reviews' ? 'REVIEW_NOT_FOUND' : 'MESSAGE_NOT_FOUND',
        detail: 'It is no longer here.',
        requestId: '1',
        message: '',
        errors: [],
      };
      response.writeHead(content ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(content ?? problem));
      return true;
    },
  };
};
