-- When to retry an event that the broker did not accept; NULL if it has not failed.
ALTER TABLE outbox_messages ADD COLUMN retry_at timestamptz;
ALTER TABLE outbox_messages ADD COLUMN failures integer NOT NULL DEFAULT 0;
