import { fillPath, internalRoutes } from '@lendtools/contracts';
import { Upstreams } from '@lendtools/service-kit';
import type { Config } from '../../config.ts';
import type { AttachedReceipt, ClaimedEmail } from '../../store/email-repository.ts';
import type { AttachedFile } from './mail-transport.ts';

/** Reads the PDF files of receipts and credit notes, without those that do not exist. @throws if one cannot be read now */
export type ReceiptReader = (receipts: AttachedReceipt[]) => Promise<AttachedFile[]>;

/** A booking may be paid with several earlier payments; an email has the receipts of this many. */
const mostFiles = 5;
/** Longer than a receipt takes. Short, because an email that waits for payments occupies one of the few lanes. */
const timeoutMs = 3_000;
const longestWaitMs = 300_000;

/** An email waits five minutes for its receipt, which is also on the site: the pick-up's address is more urgent. */
export const isWorthWaiting = ({ queuedAt }: Pick<ClaimedEmail, 'queuedAt'>): boolean =>
  Date.now() - queuedAt.getTime() < longestWaitMs;

export const createReceiptReader = (
  config: Pick<Config, 'PAYMENTS_URL' | 'INTERNAL_SECRET'>,
): ReceiptReader => {
  const payments = new Upstreams(config.PAYMENTS_URL);
  const authorization = `Bearer ${config.INTERNAL_SECRET[0]}`;
  const { path } = internalRoutes.emailedReceipt;

  const read = async ({ paymentId, refundId }: AttachedReceipt): Promise<AttachedFile[]> => {
    const query = refundId ? `?${new URLSearchParams({ refund: refundId })}` : '';
    const reply = await payments.fetch(fillPath(path, { paymentId }) + query, {
      headers: { authorization },
      signal: AbortSignal.timeout(timeoutMs),
    });
    // A refund that Stripe has not made yet has no credit note.
    if (reply.status === 404) return [];
    if (!reply.ok) throw new Error(`payments answered ${reply.status} to GET ${path}`);
    const content = Buffer.from(await reply.arrayBuffer());
    const named = reply.headers.get('content-disposition') ?? '';
    const filename = /filename="([\w-]+\.pdf)"/.exec(named)?.[1] ?? 'receipt.pdf';
    return [{ filename, contentType: 'application/pdf', content }];
  };
  return async (receipts) => (await Promise.all(receipts.slice(0, mostFiles).map(read))).flat();
};
