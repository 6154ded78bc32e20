import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { imageFields } from '../../domain/tool.ts';

/** What catalog stores of a user, for the download of their data. Accounts calls it with a token of the user. */
export const exportData = ({ pool }: Deps) =>
  handle(internalRoutes.dataOfCatalog, async ({ params: { userId } }) => {
    const [tools, saved] = await Promise.all([
      pool.query<Record<string, string | null>>(
        `SELECT id, name, description, price_cents, rental_circle, units, terms, pickup_lat, pickup_lng, pickup_zip, status,
           rating, rating_count, created_at, removed_at, hidden_reason, ${imageFields.join(', ')}
         FROM tools WHERE owner_id = $1 ORDER BY id`,
        [userId],
      ),
      pool.query(
        `SELECT s.tool_id, t.name, s.saved_at FROM saved_tools s JOIN tools t ON t.id = s.tool_id
         WHERE s.user_id = $1 ORDER BY s.saved_at`,
        [userId],
      ),
    ]);
    const pictures = tools.rows.flatMap((tool) =>
      imageFields.flatMap((field) => tool[field] ?? []),
    );
    return { files: { tools: tools.rows, 'saved-tools': saved.rows }, pictures };
  });
