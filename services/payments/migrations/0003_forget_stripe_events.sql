-- For the hourly clean-up of what was handled long ago.
CREATE INDEX stripe_events_handled_at ON stripe_events (handled_at);
