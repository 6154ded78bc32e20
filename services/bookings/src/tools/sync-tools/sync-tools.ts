import { addToOutbox, type Consumer, newEvent, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { lapseApprovalsOfTool } from '../../store/approval-repository.ts';

/** Copies a tool unless a newer version is stored, and adds a row for each new unit. */
export const syncTools = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.sync-tools', pool, async (event, tx) => {
    if (event.type === 'ToolRemoved') {
      const { rowCount } = await tx.query(
        `INSERT INTO tools (id, version, owner_id, removed_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, removed_at = EXCLUDED.removed_at,
           description = '', cover_image = 'null', terms = NULL
         WHERE tools.version < EXCLUDED.version`,
        [event.data.toolId, event.version, event.data.ownerId, event.occurredAt],
      );
      if (rowCount) await lapseApprovalsOfTool(tx, event.data.toolId);
      return;
    }
    const tool = event.data;
    const { rowCount } = await tx.query(
      `INSERT INTO tools (id, version, owner_id, name, description, cover_image, price_cents, circle, status, units,
                          time_zone, owner_disabled, terms)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, owner_id = EXCLUDED.owner_id,
         name = EXCLUDED.name, description = EXCLUDED.description, cover_image = EXCLUDED.cover_image,
         price_cents = EXCLUDED.price_cents, circle = EXCLUDED.circle, status = EXCLUDED.status,
         units = EXCLUDED.units, time_zone = EXCLUDED.time_zone, owner_disabled = EXCLUDED.owner_disabled,
         terms = EXCLUDED.terms
       WHERE tools.version < EXCLUDED.version`,
      [
        tool.toolId,
        event.version,
        tool.ownerId,
        tool.name,
        tool.description,
        tool.coverImage,
        tool.priceCents,
        tool.rentalCircle,
        tool.status,
        tool.units,
        tool.timeZone,
        tool.ownerDisabled,
        tool.terms,
      ],
    );
    await tx.query(
      `INSERT INTO units (tool_id, number) SELECT $1, generate_series(1, $2::int) ON CONFLICT DO NOTHING`,
      [tool.toolId, tool.units],
    );
    if (tool.ownerDisabled && rowCount) await lapseApprovalsOfTool(tx, tool.toolId);
    // Publish the event here, not in the catalog service, so that a client that then reloads the calendar sees the change.
    if (event.type === 'ToolUpdated' && rowCount)
      await addToOutbox(
        tx,
        newEvent(
          'AvailabilityChanged',
          { id: tool.toolId, version: event.version },
          { toolId: tool.toolId },
        ),
      );
  });
