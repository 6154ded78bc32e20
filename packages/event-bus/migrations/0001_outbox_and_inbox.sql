-- Events to publish, inserted in the same transaction as the change that they describe.
CREATE TABLE outbox_messages (
  id uuid PRIMARY KEY,
  position bigserial NOT NULL,
  type text NOT NULL,
  aggregate_id text NOT NULL,
  version integer NOT NULL,
  envelope jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  -- When to retry an event that the broker did not accept; null if it has not failed.
  retry_at timestamptz,
  failures integer NOT NULL DEFAULT 0
);
-- Separate indexes for new and for failed events, so that the relay reads neither through the other.
CREATE INDEX outbox_messages_new ON outbox_messages (position) WHERE published_at IS NULL AND retry_at IS NULL;
CREATE INDEX outbox_messages_failed ON outbox_messages (retry_at) WHERE published_at IS NULL AND retry_at IS NOT NULL;
-- For the purge.
CREATE INDEX outbox_messages_published_at ON outbox_messages (published_at);

-- Events that have been handled, inserted in the same transaction as their effect.
CREATE TABLE inbox_messages (
  queue text NOT NULL,
  event_id uuid NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (queue, event_id)
);
CREATE INDEX inbox_messages_handled_at ON inbox_messages (handled_at);
