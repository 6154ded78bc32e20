-- When to publish an event again that the broker did not take; NULL while it has not failed.
ALTER TABLE outbox_messages ADD COLUMN retry_at timestamptz;
ALTER TABLE outbox_messages ADD COLUMN failures integer NOT NULL DEFAULT 0;
