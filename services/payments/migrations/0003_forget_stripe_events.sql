-- For the hourly purge of old events.
CREATE INDEX stripe_events_handled_at ON stripe_events (handled_at);
